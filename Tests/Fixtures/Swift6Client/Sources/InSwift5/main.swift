import Dispatch
import Weir
import WeirRx

/// A class that isn't `Sendable`, as most classes in Swift 5.
final class Loader {
  private var completion: ((Result<Loader, Never>) -> Void)?
  private var results: [Int] = []

  /// Stores the promise in a property whose type isn't `@Sendable`.
  func load() -> Future<Loader, Never> {
    Future { promise in
      self.completion = promise
      DispatchQueue.global().async { self.finish() }
    }
  }

  /// Passes its own closure as a promise.
  func log() -> [Int] {
    let promise: Future<Int, Never>.Promise = { result in
      if case .success(let value) = result { self.results.append(value) }
    }
    promise(.success(1))
    promise(.success(2))
    return results
  }

  private func finish() { completion?(.success(self)) }
}

let loaded = DispatchSemaphore(value: 0)
let subscription = Loader().load().sink { loader in
  print(loader.log())
  loaded.signal()
}
loaded.wait()
withExtendedLifetime(subscription) {}

/// A closure without parameters handles the values of a sequence of `Void`, not its completion.
@MainActor
func countTaps() -> [String] {
  var seen: [String] = []
  let taps = PassthroughRelay<Void>()
  let subscriptions = [
    taps.asSignal().emit { seen.append("emitted") },
    taps.map { 1 }.asDriver(onErrorJustReturn: 0).map { _ in }.drive { seen.append("driven") },
  ]
  taps.accept()
  withExtendedLifetime(subscriptions) {}
  return seen
}

print(MainActor.assumeIsolated { countTaps() })

/// A closure without a label handles the values, although a function of the sequence could be passed, too.
@MainActor
func follow() -> [Int] {
  final class Seen { var values: [Int] = [] }
  let seen = Seen()
  let numbers = PublishRelay<Int>()
  let (driver, signal) = (numbers.asDriver(onErrorJustReturn: 0), numbers.asSignal())
  let driven = driver.drive { seen.values.append($0) }
  let drivenWith = driver.drive(with: seen) { $0.values.append(10 * $1) }
  let emitted = signal.emit { number in
    let hundredfold = 100 * number
    seen.values.append(hundredfold)
  }
  let bound = numbers.bind { seen.values.append(1000 * $0) }
  let passed = driver.drive { $0.asPublisher().sink { seen.values.append(10_000 * $0) } }
  numbers.accept(1)
  withExtendedLifetime((driven, drivenWith, emitted, bound, passed)) {}
  return seen.values.sorted()
}

print(MainActor.assumeIsolated { follow() })
