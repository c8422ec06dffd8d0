import Dispatch
import Observation
import Weir
import WeirDispatch
import WeirRx

/// Values from any thread, which are shown on the main actor.
@MainActor
final class Screen {
  private(set) var lines: [String] = []
  private(set) var latest = ""
  private var bag = Set<AnyCancellable>()

  func show(_ values: PassthroughSubject<Int, Never>) {
    values.receive(on: DispatchQueue.main)
      .map { "hopped \($0)" }
      .sink { self.lines.append($0) }
      .store(in: &bag)
    values.map { "shown \($0)" }
      .sink(on: MainActor.shared) { [weak self] in self?.lines.append($0) }
      .store(in: &bag)
    values.map { "latest \($0)" }
      .assign(to: \.latest, on: self)
      .store(in: &bag)
    values.asDriver(onErrorJustReturn: 0)
      .drive { [weak self] in self?.lines.append("driven \($0)") }
      .store(in: &bag)
  }
}

@MainActor
@Observable
final class Cart {
  var price = 2
  var count = 3
}

actor Store {
  private(set) var total = 0
  private var cancellable: AnyCancellable?

  func add(_ values: PassthroughSubject<Int, Never>) {
    cancellable = values.receive(on: ActorScheduler(self)).sink { self.total += $0 }
  }
}

@main
struct Program {
  // Implicitly isolated to the main actor.
  static func main() async {
    let values = PassthroughSubject<Int, Never>()
    let screen = Screen()
    let store = Store()
    screen.show(values)
    await store.add(values)
    await Task.detached { for value in 1...3 { values.send(value) } }.value
    while screen.lines.count < 9 { await Task.yield() }
    while await store.total < 6 { await Task.yield() }
    for line in screen.lines.sorted() { print(line) }
    print(screen.latest, await store.total)

    let cart = Cart()
    var totals: [Int] = []
    let cancellable = observe { cart.price * cart.count }.sink { totals.append($0) }
    cart.count = 5
    while totals.count < 2 { await Task.yield() }
    print(totals)
    cancellable.cancel()
    print((try? await promised()) ?? [])
  }
}
