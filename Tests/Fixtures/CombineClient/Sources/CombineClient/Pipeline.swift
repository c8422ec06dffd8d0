import Combine

/// The scores of a game, which only the game may change.
final class Scoreboard {
  private let points = CurrentValueSubject<Int, Never>(0)
  private var bag = Set<AnyCancellable>()

  func lines(_ print: @escaping (String) -> Void) {
    points
      .removeDuplicates()
      .scan((0, 0)) { before, now in (before.1, now) }
      .dropFirst()
      .map { before, now in "\(before) -> \(now)" }
      .sink(receiveCompletion: { _ in print("over") }, receiveValue: print)
      .store(in: &bag)
  }

  func play(_ scores: some Publisher<Int, Never>) {
    scores.sink(
      receiveCompletion: { [points] in points.send(completion: $0) },
      receiveValue: { [points] in points.value += $0 }
    )
    .store(in: &bag)
  }
}
