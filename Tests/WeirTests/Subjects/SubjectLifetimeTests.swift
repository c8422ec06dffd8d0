import Testing
import Weir

@testable import TestSupport

@Suite("lifetime of a subject")
struct SubjectLifetimeTests {
  @Test("a subscription retains its subject until its cancellation, so a sender may hold it weakly")
  func isRetained() {
    checkIsRetained(PassthroughSubject<Int, Never>())
    checkIsRetained(CurrentValueSubject<Int, Never>(0))
  }

  @Test("a completed subscription doesn't retain its subject")
  func isReleasedAtTheEnd() {
    weak var subject: PassthroughSubject<Int, Never>?
    let recorder = {
      let made = PassthroughSubject<Int, Never>()
      subject = made
      return made.record(demanding: .unlimited)
    }()
    subject?.send(completion: .finished)
    #expect(recorder.events == [.subscription, .finished])
    #expect(subject == nil)
  }

  private func checkIsRetained<S: Subject>(_ make: @autoclosure () -> S) where S.Output == Int, S.Failure == Never {
    weak var subject: S?
    var values: [Int] = []
    var subscription: AnyCancellable? = {
      let made = make()
      subject = made
      return made.eraseToAnyPublisher().sink { (value: Int) in values.append(value) }
    }()
    subject?.send(7)
    #expect(values.last == 7)
    withExtendedLifetime(subscription) {}
    subscription = nil
    #expect(subject == nil)
  }
}
