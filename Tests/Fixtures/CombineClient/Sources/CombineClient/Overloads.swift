import Combine
import Overloads

private final class Model {
  var number = 0 { didSet { log.append(number) } }
  var log: [Int] = []
}

/// The results of Combine's methods, and the overloads that were called: first without the additional parameter, then
/// with it.
func overloads() -> [String] {
  let numbers = [1, 2].publisher
  let model = Model()
  var bag: Set<AnyCancellable> = []
  func note(_ value: Int) { model.number = value }

  numbers.assign(to: \.number, on: model).store(in: &bag)
  numbers.share().sink { note($0) }.store(in: &bag)
  numbers.retry(1).sink { note($0) }.store(in: &bag)
  numbers.merge(with: Empty()).sink { note($0) }.store(in: &bag)
  numbers.zip(Just(3)).sink { note($0 * $1) }.store(in: &bag)
  let without = "\(model.log) \(calls)"

  model.log = []
  numbers.assign(to: \.number, on: model, ownership: .strong).store(in: &bag)
  numbers.share(label: "a").sink { note($0) }.store(in: &bag)
  numbers.retry(1, label: "b").sink { note($0) }.store(in: &bag)
  numbers.merge(with: Empty(), label: "c").sink { note($0) }.store(in: &bag)
  numbers.zip(Just(3), label: "d").sink { note($0 * $1) }.store(in: &bag)
  return [without, "\(model.log) \(calls)"]
}
