import Scrabble

// The same steps as they are written with lazy sequences: a step that gives one value is a function.

struct ByLazySequences {
  let game: Game

  @inline(never)
  func play() -> [Rank] {
    let scores = game.words.lazy
      .filter { game.dictionary.contains($0) }
      .filter { blanks($0) <= game.blanks }
      .reduce(into: Scores()) { $0.add($1, score($1)) }
    return Array(scores.ranks.lazy.prefix(3))
  }

  @inline(never)
  private func histogram(_ word: String) -> Histogram {
    word.utf8.lazy.reduce(into: Histogram()) { $0.add($1) }
  }

  private func blanks(_ word: String) -> Int {
    histogram(word).counts.lazy.map { game.blanks(for: $0.key, times: $0.value) }.reduce(0, +)
  }

  @inline(never)
  private func sum(_ word: String) -> Int {
    histogram(word).counts.lazy.map { game.points(for: $0.key, times: $0.value) }.reduce(0, +)
  }

  @inline(never)
  private func dearest(_ word: String) -> Int {
    [word.utf8.prefix(3), word.utf8.dropFirst(max(0, word.utf8.count - 3))].lazy
      .flatMap { $0 }
      .map { game.points(for: $0) }
      .reduce(0, max)
  }

  private func score(_ word: String) -> Int {
    sum(word) + sum(word) + dearest(word) + dearest(word) + game.bonus(forLengthOf: word)
  }
}
