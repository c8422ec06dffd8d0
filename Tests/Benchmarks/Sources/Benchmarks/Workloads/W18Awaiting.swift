import AsyncAlgorithms
import OpenCombine
import Weir

private let count = 100_000
private let sum = (0..<count).reduce(0, &+)

extension Workload {
  /// The limit is a stream whose elements are made when they are awaited.
  static var values: Workload {
    Workload(
      "W18", "sequence → values, awaited (limit: AsyncStream(unfolding:))", operations: count, expected: sum,
      bound: .timesLimit(1.5),
      limit: { blocking { await viaUnfolding() } },
      weir: { blocking { await viaWeir() } },
      openCombine: { blocking { await viaOpenCombine() } })
  }

  /// Values that are sent while no task waits are kept; the other library's channel makes the sender wait instead.
  static var keptValues: Workload {
    Workload(
      "W18 kept", "subject → values(buffering: .unbounded), sent, then awaited (limit: a fed AsyncStream)",
      operations: count, expected: sum, bound: .timesLimit(1.5),
      limit: { blocking { await viaFedStream() } },
      weir: { blocking { await viaBufferedWeir() } },
      asyncAlgorithms: { blocking { await viaChannel() } })
  }
}

@inline(never)
private func viaUnfolding() async -> Int {
  let next = Total()
  let stream = AsyncStream<Int>(unfolding: {
    defer { next.sum += 1 }
    return next.sum < count ? next.sum : nil
  })
  var total = 0
  for await value in stream { total = total &+ value }
  return total
}

@inline(never)
private func viaWeir() async -> Int {
  var total = 0
  for await value in Weir.Publishers.Sequence<Range<Int>, Never>(sequence: 0..<count).values { total = total &+ value }
  return total
}

@inline(never)
private func viaOpenCombine() async -> Int {
  var total = 0
  for await value in OpenCombine.Publishers.Sequence<Range<Int>, Never>(sequence: 0..<count).values {
    total = total &+ value
  }
  return total
}

@inline(never)
private func viaFedStream() async -> Int {
  let (stream, continuation) = AsyncStream<Int>.makeStream()
  for value in 0..<count { continuation.yield(value) }
  continuation.finish()
  var total = 0
  for await value in stream { total = total &+ value }
  return total
}

@inline(never)
private func viaBufferedWeir() async -> Int {
  let subject = Weir.PassthroughSubject<Int, Never>()
  var iterator = subject.values(buffering: .unbounded).makeAsyncIterator()
  for value in 0..<count { subject.send(value) }
  subject.send(completion: .finished)
  var total = 0
  while let value = await iterator.next() { total = total &+ value }
  return total
}

@inline(never)
private func viaChannel() async -> Int {
  let channel = AsyncChannel<Int>()
  let sender = Task {
    for value in 0..<count { await channel.send(value) }
    channel.finish()
  }
  var total = 0
  for await value in channel { total = total &+ value }
  await sender.value
  return total
}
