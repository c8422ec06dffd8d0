import Scrabble

#if OPENCOMBINE
import OpenCombine
#else
import Weir
#endif

// "Shakespeare plays Scrabble", José Paumard's benchmark, with publishers: each step of a word is a pipeline of its
// own, and what a pipeline needs of others it has from flatMap. The file is the same with either library.
//
// Functions give `some Publisher`, so that all operators are the general ones: those of a sequence or of one value,
// which work when they are called, are not reached.

/// The three highest scores, with the words that have them.
public func play(_ game: Game) -> [Rank] { first(Table(game: game).best) }

private struct Table {
  let game: Game

  var best: some Publisher<[Rank], Never> {
    played
      .flatMap { scores in scores.ranks.publisher }
      .prefix(3)
      .collect()
  }

  private var played: some Publisher<Scores, Never> {
    general(game.words)
      .filter { word in game.dictionary.contains(word) }
      .filter { word in first(isPossible(word)) }
      .reduce(Scores()) { scores, word in
        scores.add(word, first(score(word)))
        return scores
      }
  }

  // MARK: The letters of a word

  private func letters(_ word: String) -> some Publisher<UInt8, Never> { word.utf8.publisher }

  private func histogram(_ word: String) -> some Publisher<Histogram, Never> {
    letters(word).reduce(Histogram()) { histogram, letter in
      histogram.add(letter)
      return histogram
    }
  }

  private func counts(_ word: String) -> some Publisher<(key: UInt8, value: Int), Never> {
    histogram(word).flatMap { histogram in histogram.counts.publisher }
  }

  // MARK: Blanks

  private func blanks(_ letter: UInt8, _ count: Int) -> some Publisher<Int, Never> {
    Just(game.blanks(for: letter, times: count))
  }

  private func blanks(_ word: String) -> some Publisher<Int, Never> {
    counts(word).flatMap { letter in blanks(letter.key, letter.value) }.reduce(0) { $0 + $1 }
  }

  private func isPossible(_ word: String) -> some Publisher<Bool, Never> {
    blanks(word).flatMap { blanks in Just(blanks <= game.blanks) }
  }

  // MARK: Scores

  private func points(_ letter: UInt8) -> some Publisher<Int, Never> { Just(game.points(for: letter)) }

  private func points(_ letter: UInt8, _ count: Int) -> some Publisher<Int, Never> {
    Just(game.points(for: letter, times: count))
  }

  private func sum(_ word: String) -> some Publisher<Int, Never> {
    counts(word).flatMap { letter in points(letter.key, letter.value) }.reduce(0) { $0 + $1 }
  }

  /// The dearest of the first three letters and the last three.
  private func dearest(_ word: String) -> some Publisher<Int, Never> {
    general([
      letters(word).prefix(3).eraseToAnyPublisher(),
      letters(word).dropFirst(max(0, word.utf8.count - 3)).eraseToAnyPublisher(),
    ])
    .flatMap { letters in letters }
    .flatMap { letter in points(letter) }
    .reduce(0) { max($0, $1) }
  }

  /// Everything counts twice, and seven letters besides.
  private func score(_ word: String) -> some Publisher<Int, Never> {
    general([
      sum(word).eraseToAnyPublisher(), sum(word).eraseToAnyPublisher(),
      dearest(word).eraseToAnyPublisher(), dearest(word).eraseToAnyPublisher(),
      Just(game.bonus(forLengthOf: word)).eraseToAnyPublisher(),
    ])
    .flatMap { points in points }
    .reduce(0) { $0 + $1 }
  }
}

private func general<Value>(_ values: [Value]) -> some Publisher<Value, Never> { values.publisher }

/// The last value that a publisher sends immediately.
private func first<Value>(_ publisher: some Publisher<Value, Never>) -> Value {
  var result: Value?
  let subscription = publisher.sink { result = $0 }
  withExtendedLifetime(subscription) {}
  guard let result else { fatalError("The publisher sent no value.") }
  return result
}
