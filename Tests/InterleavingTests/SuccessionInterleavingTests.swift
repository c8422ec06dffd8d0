import Testing
import Weir

@testable import TestSupport

/// Upstreams that follow one another, the next one on another thread.
@Suite("upstreams that follow one another, whatever the order of threads", .serialized)
struct SuccessionInterleavingTests {
  typealias Source = PassthroughSubject<Int, TestError>

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What makes the first upstream give way to the second.
    let completion: Subscribers.Completion<TestError>
    let make: @Sendable (Source, Source) -> AnyPublisher<Int, TestError>

    static let all = [
      Case(testDescription: "append", completion: .finished) { a, b in a.append(b).eraseToAnyPublisher() },
      Case(testDescription: "prepend", completion: .finished) { a, b in b.prepend(a).eraseToAnyPublisher() },
      Case(testDescription: "catch", completion: .failure(.oops)) { a, b in
        a.catch { (_: TestError) -> Source in b }.eraseToAnyPublisher()
      },
      Case(testDescription: "tryCatch", completion: .failure(.oops)) { a, b in
        a.tryCatch { (_: TestError) throws -> Source in b }.mapError { (_: any Error) -> TestError in .oops }
          .eraseToAnyPublisher()
      },
      Case(testDescription: "retry", completion: .failure(.oops)) { a, b in
        let attempts = Box(0)
        return Deferred {
          attempts.value += 1
          return attempts.value == 1 ? a : b
        }.retry(1).eraseToAnyPublisher()
      },
    ]
  }

  /// The first upstream completes in the delivery of its value; `others` run meanwhile.
  private func trial(
    _ operation: Case, _ witness: Witness, _ others: (Source) -> [() -> Void], _ check: @escaping () -> [String]
  ) -> Trial {
    let (a, b) = (Source(), Source())
    witness.onValue = { value in if value == 1 { a.send(completion: operation.completion) } }
    operation.make(a, b).subscribe(witness)
    return Trial(bodies: [{ a.send(1) }] + others(b)) {
      b.send(13)
      b.send(completion: .finished)
      return witness.faults + check()
    }
  }

  @Test("value and completion ∥ send to the next: one thread at a time, in order", arguments: Case.all)
  func handsOver(_ operation: Case) async {
    await explore("\(operation.testDescription): value and completion ∥ send to the next") {
      let witness = Witness()
      return trial(operation, witness, { b in [{ for value in 11...12 { b.send(value) } }] }) {
        let rest = witness.values.dropFirst()
        let isWhole = witness.values.first == 1 && Array(rest) == Array((14 - rest.count)...13)
        return isWhole && witness.ends == [.finished] ? [] : ["got \(witness.values), \(witness.ends)"]
      }
    }
  }

  @Test("value and completion ∥ request: no demand lost, none made up", arguments: Case.all)
  func requests(_ operation: Case) async {
    await explore("\(operation.testDescription): value and completion ∥ request ∥ send to the next") {
      let witness = Witness(demanding: .max(1))
      return trial(operation, witness, { b in [{ witness.request(.max(2)) }, { b.send(11) }] }) {
        witness.values.first == 1 && witness.values.count <= 3 && witness.values.last == 13
          ? [] : ["got \(witness.values)"]
      }
    }
  }

  @Test("value and completion ∥ cancel: nothing is attached after it", arguments: Case.all)
  func cancels(_ operation: Case) async {
    await explore("\(operation.testDescription): value and completion ∥ cancel ∥ send to the next") {
      let witness = Witness()
      return trial(operation, witness, { b in [{ witness.cancel() }, { b.send(11) }] }) {
        witness.values.contains(13) || !witness.ends.isEmpty ? ["got \(witness.values), \(witness.ends)"] : []
      }
    }
  }
}
