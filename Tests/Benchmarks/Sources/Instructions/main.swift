import Weir

// One kind of work, so many elements: what `.ci/instructions` counts the instructions and allocations of.

/// The general operators: a function generic over `some Publisher` takes no shortcut that a sequence might offer.
@inline(never)
func pipeline(_ source: some Publisher<Int, Never>, _ count: Int) -> Int {
  var last = 0
  let subscription =
    source
    .map { $0 &+ 1 }
    .filter { $0 & 3 != 0 }
    .scan(0) { $0 &+ $1 }
    .prefix(count)
    .sink { last = last &+ $0 }
  withExtendedLifetime(subscription) {}
  return last
}

/// The same closures, called from a loop.
struct Closures {
  let map: (Int) -> Int
  let filter: (Int) -> Bool
  let scan: (Int, Int) -> Int
  let sink: (Int) -> Void
}

@inline(never)
func loop(_ closures: Closures, _ count: Int) {
  var result = 0
  var left = count
  for element in 0..<count {
    let mapped = closures.map(element)
    guard closures.filter(mapped) else { continue }
    result = closures.scan(result, mapped)
    closures.sink(result)
    left -= 1
    if left == 0 { break }
  }
}

@inline(never)
func loop(_ count: Int) -> Int {
  var last = 0
  let closures = Closures(
    map: { $0 &+ 1 }, filter: { $0 & 3 != 0 }, scan: { $0 &+ $1 }, sink: { last = last &+ $0 })
  loop(closures, count)
  return last
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let count = Int(arguments[2]), count > 0 else {
  fatalError("usage: Instructions pipeline|loop COUNT")
}
switch arguments[1] {
case "pipeline": print(pipeline((0..<count).publisher, count))
case "loop": print(loop(count))
default: fatalError("there is no work named \(arguments[1]): pipeline or loop")
}
