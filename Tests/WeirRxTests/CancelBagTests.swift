import Testing
import Weir
import WeirRx

@testable import TestSupport

@Suite("CancelBag")
struct CancelBagTests {
  @Test("cancels what is in it, in order, each once")
  func cancels() {
    let bag = CancelBag()
    var log: [Int] = []
    for number in 1...3 { AnyCancellable { log.append(number) }.store(in: bag) }
    #expect(log == [])
    bag.cancel()
    bag.cancel()
    #expect(log == [1, 2, 3])
  }

  @Test("cancels at once what comes after its cancel")
  func late() {
    let bag = CancelBag()
    bag.cancel()
    var count = 0
    let kept = AnyCancellable { count += 1 }
    kept.store(in: bag)
    #expect(count == 1)
    withExtendedLifetime(kept) {}
  }

  @Test("cancels when it goes")
  func goes() {
    var count = 0
    do {
      let bag = DisposeBag()
      AnyCancellable { count += 1 }.store(in: bag)
      #expect(count == 0)
    }
    #expect(count == 1)
  }

  @Test("takes any cancellable, and keeps it until it is cancelled")
  func anyCancellable() {
    let source = ManualPublisher<Int, TestError>()
    let bag = CancelBag()
    source.record(demanding: .unlimited).store(in: bag)
    #expect(!source.isCancelledOnce)
    bag.cancel()
    #expect(source.isCancelledOnce)
  }

  @Test("a cancellable may put another in, cancel the bag, or let it go")
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

  @Test("what is put in while it is cancelled on another thread is cancelled once")
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
