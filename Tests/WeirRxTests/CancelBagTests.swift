import Testing
import Weir
import WeirRx

@testable import TestSupport

@Suite("CancelBag")
struct CancelBagTests {
  @Test("cancels its elements in order, each once")
  func cancels() {
    let bag = CancelBag()
    var log: [Int] = []
    for number in 1...3 { AnyCancellable { log.append(number) }.store(in: bag) }
    #expect(log == [])
    bag.cancel()
    bag.cancel()
    #expect(log == [1, 2, 3])
  }

  @Test("immediately cancels elements that are inserted after its cancellation")
  func late() {
    let bag = CancelBag()
    bag.cancel()
    var count = 0
    let kept = AnyCancellable { count += 1 }
    kept.store(in: bag)
    #expect(count == 1)
    withExtendedLifetime(kept) {}
  }

  @Test("cancels when it is deallocated")
  func goes() {
    var count = 0
    do {
      let bag = DisposeBag()
      AnyCancellable { count += 1 }.store(in: bag)
      #expect(count == 0)
    }
    #expect(count == 1)
  }

  @Test("accepts any cancellable, and retains it until its cancellation")
  func anyCancellable() {
    let source = ManualPublisher<Int, TestError>()
    let bag = CancelBag()
    source.record(demanding: .unlimited).store(in: bag)
    #expect(!source.isCancelledOnce)
    bag.cancel()
    #expect(source.isCancelledOnce)
  }

  @Test("a cancellable may insert another, cancel the bag or release it")
  func nested() {
    let bag = Box<CancelBag?>(CancelBag())
    var count = 0
    AnyCancellable {
      if let inner = bag.value { AnyCancellable { count += 1 }.store(in: inner) }
      bag.value?.cancel()
      bag.value = nil
    }.store(in: bag.value ?? CancelBag())
    bag.value?.cancel()
    #expect(count == 1)
    #expect(bag.value == nil)
  }

  @Test("an element that is inserted during a concurrent cancellation is cancelled once")
  func races() {
    for _ in 0..<Effort.rounds(300) {
      let bag = CancelBag()
      let count = LiveCount()
      let fill: () -> Void = { for _ in 0..<10 { AnyCancellable { count.add(1) }.store(in: bag) } }
      race(fill, fill, { bag.cancel() }, { bag.cancel() })
      #expect(count.value == 20)
    }
  }
}
