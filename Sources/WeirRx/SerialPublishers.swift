public import Weir

// The publishers of this module that keep the rules of delivery, whatever a program does with them: subscribers need no
// guard before them. One that is missing here is slower, not less safe. (`SerialPublisherTests`)

extension Channel.Terminal: _SerialPublisher {}
extension Completable: _SerialPublisher {}
extension CurrentValueRelay: _SerialPublisher {}
extension EmissionSource: _SerialPublisher {}
extension GroupedPublisher: _SerialPublisher {}
extension Maybe: _SerialPublisher {}
extension PartPublisher: _SerialPublisher {}
extension PassthroughRelay: _SerialPublisher {}
extension PropertyChannel: _SerialPublisher {}
extension Publishers.Amb: _SerialPublisher {}
extension Publishers.AmbMany: _SerialPublisher {}
extension Publishers.AsyncFlatMap: _SerialPublisher {}
extension Publishers.AsyncMap: _SerialPublisher {}
extension Publishers.CombineLatestMany: _SerialPublisher {}
extension Publishers.Create: _SerialPublisher {}
extension Publishers.Dematerialize: _SerialPublisher {}
extension Publishers.Distinct: _SerialPublisher {}
extension Publishers.Enumerated: _SerialPublisher {}
extension Publishers.FlatMapFirst: _SerialPublisher {}
extension Publishers.GroupBy: _SerialPublisher {}
extension Publishers.LimitRate: _SerialPublisher {}
extension Publishers.Materialize: _SerialPublisher {}
extension Publishers.Nwise: _SerialPublisher {}
extension Publishers.Observed: _SerialPublisher {}
extension Publishers.OnBackpressure: _SerialPublisher {}
extension Publishers.Pairwise: _SerialPublisher {}
extension Publishers.Repeated: _SerialPublisher {}
extension Publishers.RetryWhen: _SerialPublisher {}
extension Publishers.Sample: _SerialPublisher {}
extension Publishers.ShareReplay: _SerialPublisher {}
extension Publishers.TakeUntil: _SerialPublisher {}
extension Publishers.Using: _SerialPublisher {}
extension Publishers.WindowByCount: _SerialPublisher {}
extension Publishers.WindowByTime: _SerialPublisher {}
extension Publishers.WithLatestFrom: _SerialPublisher {}
extension Publishers.ZipMany: _SerialPublisher {}
extension ReplayRelay: _SerialPublisher {}
extension ReplaySubject: _SerialPublisher {}
extension SharedSequence: _SerialPublisher {}
extension Single: _SerialPublisher {}
extension Sampled: _SerialPublisher {}
