import AllocationCounter
import InWeir
import Weir

// One kind of work, with a number of values, sends or subscriptions: `.ci/instructions` runs it under callgrind. It
// gives the result of the work, or how many blocks the work allocates.

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

let works =
  Array(InWeir.counted) + [("pipeline", { pipeline((0..<$0).publisher, $0) }), ("loop", loop)] + Array(contexts)

var arguments = Array(CommandLine.arguments.dropFirst())
let countsAllocations = arguments.first == "--allocations"
if countsAllocations { arguments.removeFirst() }

switch arguments.count {
case 1 where arguments[0] == "--list":
  for work in works { print(work.key) }
case 1 where arguments[0] == "--list-debug":
  for work in contextsInDebugBuilds { print(work) }
case 2:
  guard let work = works.first(where: { $0.key == arguments[0] })?.value, let count = Int(arguments[1]), count > 0
  else {
    fallthrough
  }
  if countsAllocations {
    guard let allocations = countingAllocations({ _ = work(count) }) else {
      fatalError("Allocations are counted on Linux with the GNU C library only.")
    }
    print(allocations.count)
  } else {
    print(work(count))
  }
default:
  fatalError("usage: Instructions --list | --list-debug, or Instructions [--allocations] WORK COUNT")
}
