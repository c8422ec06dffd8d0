/// The words that are played, the words that may be, and what letters count: the same for all players.
@frozen
public struct Game: Sendable {
  /// The words to play.
  public let words: [String]

  /// Those that count.
  public let dictionary: Set<String>

  /// What each letter counts, and how many of it there are; a to z.
  @usableFromInline let points = [1, 3, 3, 2, 1, 4, 2, 4, 1, 8, 5, 1, 3, 1, 1, 3, 10, 1, 1, 1, 1, 4, 4, 8, 4, 10]
  @usableFromInline let tiles = [9, 2, 2, 4, 12, 2, 3, 2, 9, 1, 1, 4, 2, 6, 8, 2, 1, 6, 4, 6, 4, 2, 2, 1, 2, 1]

  /// Words are of the letters a to z.
  public init(words: [String], dictionary: Set<String>) {
    self.words = words
    self.dictionary = dictionary
  }

  /// There are two tiles that stand for any letter.
  @inlinable
  public var blanks: Int { 2 }

  /// What a word of seven letters is worth besides.
  @inlinable
  public func bonus(forLengthOf word: String) -> Int { word.utf8.count == 7 ? 50 : 0 }

  /// What a letter counts.
  @inlinable
  public func points(for letter: UInt8) -> Int { points[Int(letter &- 97)] }

  /// The points of as many of a letter as there are tiles of it.
  @inlinable
  public func points(for letter: UInt8, times count: Int) -> Int {
    points[Int(letter &- 97)] * min(count, tiles[Int(letter &- 97)])
  }

  /// How many of the letters have to be blanks.
  @inlinable
  public func blanks(for letter: UInt8, times count: Int) -> Int { max(0, count - tiles[Int(letter &- 97)]) }
}

/// How often each letter occurs: something that letters are added to, as reductions in the other languages have it.
public final class Histogram {
  /// A count for each letter that occurs.
  public private(set) var counts: [UInt8: Int] = [:]

  /// Counts nothing yet.
  public init() {}

  /// Counts a letter.
  public func add(_ letter: UInt8) { counts[letter, default: 0] += 1 }
}

/// Words by what they are worth.
public final class Scores {
  private var words: [Int: [String]] = [:]

  /// Holds no words yet.
  public init() {}

  /// Adds a word with its score.
  public func add(_ word: String, _ score: Int) { words[score, default: []].append(word) }

  /// The highest scores first.
  public var ranks: [Rank] {
    words.sorted { $0.key > $1.key }.map { Rank(score: $0.key, words: $0.value) }
  }
}

/// A score and the words that have it, in the order in which they were played.
public struct Rank: Sendable, CustomStringConvertible {
  /// What each of the words is worth.
  public let score: Int

  /// The words.
  public let words: [String]

  /// The score and the words in a line.
  public var description: String { "\(score): \(words.joined(separator: " "))" }
}

extension [Rank] {
  /// A number that differs where the ranks do: FNV-1a of their lines.
  public var digest: Int {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for rank in self {
      for byte in "\(rank)\n".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    return Int(truncatingIfNeeded: hash)
  }
}
