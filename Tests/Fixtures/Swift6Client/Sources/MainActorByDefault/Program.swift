import Observation
import Weir
import WeirDispatch
import WeirRx

/// All code here is implicitly isolated to the main actor.
@Observable
final class Model {
  var query = ""
  var results: [String] = []
  @ObservationIgnored private var bag = Set<AnyCancellable>()

  func start() {
    publisher(for: \.query)
      .filter { !$0.isEmpty }
      .map { ["\($0) 1", "\($0) 2"] }
      .sink { self.results = $0 }
      .store(in: &bag)
  }
}

nonisolated final class Feed: Sendable {
  let values = PassthroughSubject<String, Never>()

  func run() async {
    for word in ["one", "two"] { values.send(word) }
    values.send(completion: .finished)
  }
}

/// A function that runs on its caller's actor, as all asynchronous ones do with `NonisolatedNonsendingByDefault`.
nonisolated func doubled(_ number: Int) async -> Int { 2 * number }

@main
struct Program {
  static func main() async {
    let feed = Feed()
    let model = Model()
    model.start()
    var isTerminated = false
    let cancellable = feed.values.sink(on: MainActor.shared, receiveCompletion: { _ in isTerminated = true }) {
      model.query = $0
    }
    await Task.detached { await feed.run() }.value
    while !isTerminated || model.results.isEmpty { await Task.yield() }
    print(model.query, model.results)
    for await number in [1, 2].publisher.asyncMap(doubled).values { print(number) }
    withExtendedLifetime(cancellable) {}
  }
}
