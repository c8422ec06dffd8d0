import Testing
import Weir
import WeirRx

@testable import TestSupport

@Suite("using")
struct UsingTests {
  final class Resource: Cancellable {
    var cancels = 0
    func cancel() { cancels += 1 }
  }

  let source = ManualPublisher<Int, TestError>()

  @Test("conforms to the operator contract")
  func rules() {
    checkCommonRules(named: "HandleEvents", guarding: .ends) { source, token in
      Publishers.Using {
        AnyCancellable { withExtendedLifetime(token) {} }
      } _: { (_: AnyCancellable) in
        source
      }
    }
  }

  @Test("creates a resource for each subscriber and cancels it once", arguments: Ending.allCases)
  func resources(_ ending: Ending) {
    var made: [Resource] = []
    let publisher = AnyPublisher<Int, TestError>.using {
      made.append(Resource())
      return made[made.count - 1]
    } _: { (resource: Resource) in
      #expect(resource === made.last)
      return source
    }
    #expect(made.isEmpty)
    let first = publisher.record(demanding: .unlimited)
    let second = publisher.record(demanding: .unlimited)
    #expect(made.count == 2)
    source.send(1)
    #expect(made.map(\.cancels) == [0, 0])
    var cancelsAtEnd = 0
    first.onCompletion = { cancelsAtEnd = made[0].cancels }
    switch ending {
    case .finish: source.send(completion: .finished)
    case .failure: source.send(completion: .failure(.oops))
    case .cancel: first.cancel()
    }
    first.cancel()
    #expect(made.map(\.cancels) == [1, 0])
    #expect(cancelsAtEnd == (ending == .cancel ? 0 : 1))
    second.cancel()
    #expect(made.map(\.cancels) == [1, 1])
  }

  @Test("a concurrent cancellation and completion cancel the resource once")
  func races() {
    for _ in 0..<Effort.rounds(200) {
      let count = LiveCount()
      let subject = PassthroughSubject<Int, Never>()
      let cancellable = AnyPublisher<Int, Never>.using {
        AnyCancellable { count.add(1) }
      } _: {
        (_: AnyCancellable) in
        subject
      }.sink { _ in }
      race({ subject.send(completion: .finished) }, { cancellable.cancel() })
      #expect(count.value == 1)
    }
  }
}
