import Combine

// Overloads of `sink` that programs for Combine have, in the form in which the compiler chooses as it does with
// Combine.

extension Publisher {
  /// Its closures are optional, and it calls Combine's method.
  @_disfavoredOverload
  fileprivate func sink(
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil, receiveValue: ((Output) -> Void)? = nil
  ) -> AnyCancellable {
    let complete: (Subscribers.Completion<Failure>) -> Void = receiveCompletion ?? { _ in }
    let take: (Output) -> Void = receiveValue ?? { _ in }
    return sink(receiveCompletion: complete, receiveValue: take)
  }

  /// It has one closure, as `sink { … }` has.
  @_disfavoredOverload
  fileprivate func sink(receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void) -> AnyCancellable {
    sink(receiveCompletion: receiveCompletion, receiveValue: { _ in })
  }
}

/// What the closures receive.
func sinkOverloads() -> String {
  var log: [String] = []
  let numbers = [1, 2].publisher
  numbers.sink { log.append("\($0)") }.store(in: &bag)
  numbers.sink(receiveCompletion: { log.append("\($0)") }).store(in: &bag)
  numbers.sink(receiveValue: nil).store(in: &bag)
  return log.joined(separator: " ")
}

nonisolated(unsafe) private var bag: Set<AnyCancellable> = []
