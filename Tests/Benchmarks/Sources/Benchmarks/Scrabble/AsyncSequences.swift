import AsyncAlgorithms
import Scrabble

// The same steps with asynchronous sequences, nested as the publishers are. A reduction of one gives a value to await,
// so the steps after it begin with a sequence of that value.

struct ByAsyncSequences {
  let game: Game

  @inline(never)
  func play() async -> [Rank] {
    let scores = await game.words.async
      .filter { word in game.dictionary.contains(word) }
      .filter { word in await isPossible(word) }
      .reduce(Scores()) { scores, word in
        scores.add(word, await score(word))
        return scores
      }
    return await one(scores).flatMap { scores in scores.ranks.async }.prefix(3)
      .reduce(into: [Rank]()) { ranks, rank in ranks.append(rank) }
  }

  private func histogram(_ word: String) async -> Histogram {
    await word.utf8.async.reduce(Histogram()) { histogram, letter in
      histogram.add(letter)
      return histogram
    }
  }

  private func blanks(_ word: String) async -> Int {
    await one(histogram(word)).flatMap { histogram in histogram.counts.async }
      .flatMap { letter in one(game.blanks(for: letter.key, times: letter.value)) }
      .reduce(0) { $0 + $1 }
  }

  private func isPossible(_ word: String) async -> Bool {
    let sequence = await one(blanks(word)).flatMap { blanks in one(blanks <= game.blanks) }
    return await sequence.first { _ in true } ?? false
  }

  private func sum(_ word: String) async -> Int {
    await one(histogram(word)).flatMap { histogram in histogram.counts.async }
      .flatMap { letter in one(game.points(for: letter.key, times: letter.value)) }
      .reduce(0) { $0 + $1 }
  }

  private func dearest(_ word: String) async -> Int {
    await [word.utf8.prefix(3), word.utf8.dropFirst(max(0, word.utf8.count - 3))].async
      .flatMap { letters in letters.async }
      .flatMap { letter in one(game.points(for: letter)) }
      .reduce(0) { max($0, $1) }
  }

  private func score(_ word: String) async -> Int {
    await [sum(word), sum(word), dearest(word), dearest(word), game.bonus(forLengthOf: word)].async
      .flatMap { points in one(points) }
      .reduce(0) { $0 + $1 }
  }
}

private func one<Value>(_ value: Value) -> AsyncSyncSequence<CollectionOfOne<Value>> { CollectionOfOne(value).async }
