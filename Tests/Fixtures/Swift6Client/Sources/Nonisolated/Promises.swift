import Dispatch
import Weir

/// A value that another thread may send, because it is `Sendable`.
final class Report: Sendable {
  let pages: Int

  init(pages: Int) { self.pages = pages }
}

/// It may store what a future passes, because that is `@Sendable`.
final class PrintJob: Sendable {
  let promise: @Sendable (Result<Report, CancellationError>) -> Void

  init(_ promise: @escaping @Sendable (Result<Report, CancellationError>) -> Void) { self.promise = promise }

  func run() { promise(.success(Report(pages: 3))) }
}

/// An API with a closure that isn't `@Sendable`.
func load(_ completion: @escaping (Result<Int, Never>) -> Void) { completion(.success(2)) }

/// A class that isn't `Sendable`.
final class Draft {
  let pages: Int

  init(pages: Int) { self.pages = pages }
}

/// Stores a promise, in a generic function.
func stored<Output>(_ type: Output.Type) -> (Future<Output, Never>, Future<Output, Never>.Promise) {
  var kept: Future<Output, Never>.Promise?
  let future = Future<Output, Never> { kept = $0 }
  return (future, kept ?? { _ in })
}

/// Futures whose promises are called on other threads and passed to other APIs.
func promised() async throws -> [Int] {
  let (draft, promise) = stored(Draft.self)
  promise(.success(Draft(pages: 4)))
  let pages = await draft.value.pages
  precondition(pages == 4)
  let elsewhere = Future<Int, Never> { promise in
    DispatchQueue.global().async { promise(.success(1)) }
  }
  let report = try await Future<Report, CancellationError> { promise in
    let job = PrintJob(promise)
    DispatchQueue.global().async { job.run() }
  }.map(\.pages).eraseToAnyPublisher().values.first { _ in true }
  return [await elsewhere.value, await Future(load).value, report ?? 0]
}
