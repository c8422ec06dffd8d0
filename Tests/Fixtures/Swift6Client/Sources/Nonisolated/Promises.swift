import Dispatch
import Weir

/// A class that isn't `Sendable`.
final class Report {
  let pages: Int

  init(pages: Int) { self.pages = pages }
}

/// It may store a promise, because a promise is `Sendable`.
final class PrintJob: Sendable {
  let promise: Future<Report, CancellationError>.Promise

  init(_ promise: @escaping Future<Report, CancellationError>.Promise) { self.promise = promise }

  func run() { promise(.success(Report(pages: 3))) }
}

/// An API with a closure that isn't `@Sendable`.
func load(_ completion: @escaping (Result<Int, Never>) -> Void) { completion(.success(2)) }

/// Futures whose promises are called on other threads and passed to other APIs.
func promised() async throws -> [Int] {
  let elsewhere = Future<Int, Never> { promise in
    DispatchQueue.global().async { promise(.success(1)) }
  }
  let report = try await Future<Report, CancellationError> { promise in
    let job = PrintJob(promise)
    DispatchQueue.global().async { job.run() }
  }.map(\.pages).eraseToAnyPublisher().values.first { _ in true }
  return [await elsewhere.value, await Future(load).value, report ?? 0]
}
