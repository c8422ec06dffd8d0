#if DEBUG
import Testing
import Weir
import WeirControls
import WeirRx

/// Rule C17 counts the library's objects, so each kind of them has to be among those that are counted.
@Suite("live objects")
struct LiveObjectTests {
  /// What is alive while a subscription is, and after it.
  private func alive(_ subscribe: () -> any Cancellable) -> (during: String, after: String) {
    let scope = LiveObjects.Scope()
    let during = LiveObjects.$scope.withValue(scope) {
      let subscription = subscribe()
      defer { subscription.cancel() }
      return scope.description
    }
    return (during, scope.description)
  }

  @Test("counts the emission of create")
  func emission() {
    let (during, after) = alive {
      AnyPublisher<Int, Never>.create { _ in AnyCancellable {} }.sink { _ in }
    }
    #expect(during.contains("1 × Emission"))
    #expect(after == "")
  }

  @Test("counts the groups of groupBy, and what feeds them")
  func groups() {
    let subject = PassthroughSubject<Int, Never>()
    let (during, after) = alive {
      let sink = subject.groupBy { $0 }.flatMap { $0 }.sink { _ in }
      subject.send(1)
      subject.send(2)
      return sink
    }
    #expect(during.contains("2 × Part"))
    #expect(during.contains("1 × Feeder"))
    #expect(after == "")
  }

  @Test("counts what an asynchronous sequence of a publisher is fed by")
  func feed() {
    let (during, after) = alive {
      let iterator = Empty<Int, Never>(completeImmediately: false).values.makeAsyncIterator()
      return AnyCancellable { withExtendedLifetime(iterator) {} }
    }
    #expect(during.contains("1 × AsyncFeed"))
    #expect(after == "")
  }

  @Test("counts the subscription to a control")
  @MainActor
  func control() {
    let button = Button()
    let (during, after) = alive { button.publisher(for: .touchUpInside).sink { _ in } }
    #expect(during.contains("1 × ControlSubscription"))
    #expect(after == "")
  }
}
#endif
