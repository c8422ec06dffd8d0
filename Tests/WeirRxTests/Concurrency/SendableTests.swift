import Testing
import Weir
import WeirRx

@Suite("Sendable")
struct SendableTests {
  private typealias Source = PassthroughSubject<Int, Never>

  private func require<T: Sendable>(_ type: T.Type) {}

  @Test("relays, subjects and operators without closures are Sendable, which the compiler checks")
  func sendables() {
    require(PassthroughRelay<Int>.self)
    require(CurrentValueRelay<Int>.self)
    require(ReplaySubject<Int, Never>.self)
    require(Channel<Int, Never>.self)
    require(Channel<Int, Never>.Terminal.self)
    require(ConvertingBinding.self)
    require(Publishers.Amb<Source, Source>.self)
    require(Publishers.AmbMany<Source>.self)
    require(Publishers.Enumerated<Source>.self)
    require(Publishers.ZipMany<Source>.self)
    require(Publishers.CombineLatestMany<Source>.self)
    require(Publishers.LimitRate<Source>.self)
    require(Publishers.Materialize<Source>.self)
    require(Publishers.Pairwise<Source>.self)
    require(Publishers.Nwise<Source>.self)
    require(Publishers.Repeated<Source>.self)
    require(Publishers.Sample<Source, Source>.self)
    require(Publishers.WindowByCount<Source>.self)
  }
}
