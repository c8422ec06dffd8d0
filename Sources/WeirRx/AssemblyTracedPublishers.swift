// Publishers that record where they were assembled, for tracing.
public import Weir

extension Publishers.LimitRate: AssemblyTraced {}
extension Publishers.OnBackpressure: AssemblyTraced {}
extension Channel.Terminal: AssemblyTraced {}
extension PropertyChannel: AssemblyTraced {}
extension Publishers.AsyncFlatMap: AssemblyTraced {}
extension Publishers.AsyncMap: AssemblyTraced {}
extension Publishers.Create: AssemblyTraced {}
extension Publishers.ShareReplay: AssemblyTraced {}
extension Publishers.Observed: AssemblyTraced {}
extension Publishers.Amb: AssemblyTraced {}
extension Publishers.AmbMany: AssemblyTraced {}
extension Publishers.Distinct: AssemblyTraced {}
extension Publishers.Enumerated: AssemblyTraced {}
extension Publishers.FlatMapFirst: AssemblyTraced {}
extension Publishers.FlatMapLatest: AssemblyTraced {}
extension GroupedPublisher: AssemblyTraced {}
extension Publishers.GroupBy: AssemblyTraced {}
extension Publishers.ZipMany: AssemblyTraced {}
extension Publishers.CombineLatestMany: AssemblyTraced {}
extension Publishers.Materialize: AssemblyTraced {}
extension Publishers.Dematerialize: AssemblyTraced {}
extension Publishers.Pairwise: AssemblyTraced {}
extension Publishers.Nwise: AssemblyTraced {}
extension Publishers.Repeated: AssemblyTraced {}
extension Publishers.RetryWhen: AssemblyTraced {}
extension Publishers.Sample: AssemblyTraced {}
extension Publishers.TakeUntil: AssemblyTraced {}
extension Publishers.Using: AssemblyTraced {}
extension Publishers.WindowByCount: AssemblyTraced {}
extension Publishers.WindowByTime: AssemblyTraced {}
extension Publishers.WithLatestFrom: AssemblyTraced {}
extension SharedSequence: AssemblyTraced {}
extension PassthroughRelay: AssemblyTraced {}
extension CurrentValueRelay: AssemblyTraced {}
extension ReplayRelay: AssemblyTraced {}
extension ReplaySubject: AssemblyTraced {}
extension Completable: AssemblyTraced {}
extension Maybe: AssemblyTraced {}
extension Single: AssemblyTraced {}

extension Publishers.ShareReplay: CompositePublisher {}
