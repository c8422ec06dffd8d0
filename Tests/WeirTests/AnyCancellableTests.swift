import Synchronization
import Testing
import Weir

@testable import TestSupport

@Suite("AnyCancellable")
struct AnyCancellableTests {
  /// Counts on any thread.
  final class Counter: Cancellable, Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .relaxed) }

    func cancel() {
      count.add(1, ordering: .relaxed)
    }
  }

  @Test("runs its closure once, also for repeated cancellations")
  func once() {
    let counter = Counter()
    let cancellable = AnyCancellable { counter.cancel() }
    #expect(counter.value == 0)
    cancellable.cancel()
    cancellable.cancel()
    #expect(counter.value == 1)
  }

  @Test("cancels when it is released, unless it has already cancelled")
  func letGo() {
    let counter = Counter()
    do {
      let cancellable = AnyCancellable(counter)
      #expect(counter.value == 0)
      withExtendedLifetime(cancellable) {}
    }
    #expect(counter.value == 1)
    do {
      let cancellable = AnyCancellable(counter)
      cancellable.cancel()
    }
    #expect(counter.value == 2)
  }

  @Test("retains its content until it cancels, and no longer")
  func releases() {
    let kept = Box<AnyCancellable?>(nil)
    #expect(
      !isReleased { token in kept.value = AnyCancellable { withExtendedLifetime(token) {} } },
      "The closure went before the cancel.")
    #expect(
      isReleased { token in
        kept.value = AnyCancellable { withExtendedLifetime(token) {} }
        kept.value?.cancel()
      })
    withExtendedLifetime(kept) {}
  }

  @Test("wraps another AnyCancellable, which it prevents from cancelling")
  func nested() {
    let counter = Counter()
    let outer = AnyCancellable(AnyCancellable(counter))
    #expect(counter.value == 0)
    outer.cancel()
    #expect(counter.value == 1)
  }

  @Test("may be cancelled in its own closure")
  func reentrant() {
    let counter = Counter()
    let box = Box<AnyCancellable?>(nil)
    box.value = AnyCancellable {
      counter.cancel()
      box.value?.cancel()
      box.value = nil
    }
    box.value?.cancel()
    #expect(counter.value == 1)
  }

  @Test("stores itself in a set and in an array")
  func storing() {
    let counter = Counter()
    var set: Set<AnyCancellable> = []
    var array: [AnyCancellable] = []
    let cancellable = AnyCancellable(counter)
    cancellable.store(in: &set)
    cancellable.store(in: &set)
    cancellable.store(in: &array)
    #expect(set == [cancellable])
    #expect(array == [cancellable])
    #expect(cancellable != AnyCancellable(Counter()))
    set = []
    #expect(counter.value == 0)
    array.first?.cancel()
    #expect(counter.value == 1)
  }

  @Test("a closure that is formed on an actor runs there, and immediately if the caller is there")
  @MainActor
  func isolated() async {
    var runs = 0
    AnyCancellable { runs += 1 }.cancel()
    #expect(runs == 1)
    let cancellable = AnyCancellable {
      MainActor.assertIsolated()
      runs += 1
    }
    await Task.detached { cancellable.cancel() }.value
    while runs < 2 { await Task.yield() }
    var released: AnyCancellable? = AnyCancellable { runs += 1 }
    let carried = [released]
    released = nil
    await Task.detached { withExtendedLifetime(carried) {} }.value
    let counter = Counter()
    let plain = AnyCancellable { @Sendable in counter.cancel() }
    await Task.detached { plain.cancel() }.value
    #expect(counter.value == 1)
  }

  @Test("cancels once when several threads cancel")
  func races() {
    for _ in 0..<Effort.rounds(2_000) {
      let counter = Counter()
      let cancellable = AnyCancellable(counter)
      let cancel = { cancellable.cancel() }
      race(cancel, cancel, cancel)
      #expect(counter.value == 1)
    }
  }
}
