import Scrabble

// The same steps with loops: what there is to do besides being called.

struct ByLoops {
  let game: Game

  @inline(never)
  func play() -> [Rank] {
    let scores = Scores()
    for word in game.words where game.dictionary.contains(word) {
      guard blanks(word) <= game.blanks else { continue }
      let points = sum(word) + sum(word) + dearest(word) + dearest(word) + game.bonus(forLengthOf: word)
      scores.add(word, points)
    }
    return Array(scores.ranks.prefix(3))
  }

  @inline(never)
  private func histogram(_ word: String) -> Histogram {
    let histogram = Histogram()
    for letter in word.utf8 { histogram.add(letter) }
    return histogram
  }

  private func blanks(_ word: String) -> Int {
    var sum = 0
    for (letter, count) in histogram(word).counts { sum += game.blanks(for: letter, times: count) }
    return sum
  }

  @inline(never)
  private func sum(_ word: String) -> Int {
    var sum = 0
    for (letter, count) in histogram(word).counts { sum += game.points(for: letter, times: count) }
    return sum
  }

  @inline(never)
  private func dearest(_ word: String) -> Int {
    var dearest = 0
    for letter in word.utf8.prefix(3) { dearest = max(dearest, game.points(for: letter)) }
    for letter in word.utf8.dropFirst(max(0, word.utf8.count - 3)) { dearest = max(dearest, game.points(for: letter)) }
    return dearest
  }
}
