// Publishers that record where they were assembled, for tracing.
public import Weir

extension Publishers.LimitRate: Assembled {}
extension Publishers.OnBackpressure: Assembled {}
extension Channel.Terminal: Assembled {}
extension PropertyChannel: Assembled {}
extension Publishers.AsyncFlatMap: Assembled {}
extension Publishers.AsyncMap: Assembled {}
extension Publishers.Create: Assembled {}
extension Publishers.ShareReplay: Assembled {}
extension Publishers.Observed: Assembled {}
extension Publishers.Amb: Assembled {}
extension Publishers.AmbMany: Assembled {}
extension Publishers.Distinct: Assembled {}
extension Publishers.Enumerated: Assembled {}
extension Publishers.FlatMapFirst: Assembled {}
extension Publishers.FlatMapLatest: Assembled {}
extension GroupedPublisher: Assembled {}
extension Publishers.GroupBy: Assembled {}
extension Publishers.ZipMany: Assembled {}
extension Publishers.CombineLatestMany: Assembled {}
extension Publishers.Materialize: Assembled {}
extension Publishers.Dematerialize: Assembled {}
extension Publishers.Pairwise: Assembled {}
extension Publishers.Nwise: Assembled {}
extension Publishers.Repeated: Assembled {}
extension Publishers.RetryWhen: Assembled {}
extension Publishers.Sample: Assembled {}
extension Publishers.TakeUntil: Assembled {}
extension Publishers.Using: Assembled {}
extension Publishers.WindowByCount: Assembled {}
extension Publishers.WindowByTime: Assembled {}
extension Publishers.WithLatestFrom: Assembled {}
extension SharedSequence: Assembled {}
extension PassthroughRelay: Assembled {}
extension CurrentValueRelay: Assembled {}
extension ReplayRelay: Assembled {}
extension ReplaySubject: Assembled {}
extension Completable: Assembled {}
extension Maybe: Assembled {}
extension Single: Assembled {}

extension Publishers.ShareReplay: Composed {}
