/// Counts the occurrences of many texts.
///
/// Rare texts are discarded when there are too many, so that the memory is bounded. A discarded text that occurs again
/// is counted from there: ``missed`` is the maximum error of its count.
struct Tally {
  struct Entry: Equatable {
    let text: String
    let count: Int
  }

  /// The maximum error of a count.
  private(set) var missed = 0

  private var counts: [Key: Int] = [:]
  private var byteCount = 0
  private let maxCount: Int
  private let maxByteCount: Int

  /// - Parameters:
  ///   - maxCount: The maximum number of different texts.
  ///   - maxByteCount: The maximum number of their bytes.
  init(maxCount: Int = 50_000, maxByteCount: Int = 4 << 20) {
    self.maxCount = maxCount
    self.maxByteCount = maxByteCount
  }

  var distinctCount: Int { counts.count }

  mutating func add(_ bytes: ArraySlice<UInt8>) {
    if let index = counts.index(forKey: Key(bytes: bytes)) {
      counts.values[index] += 1
      return
    }
    // A copy, because a slice would retain its whole chunk.
    counts[Key(bytes: ArraySlice(Array(bytes)))] = 1
    byteCount += bytes.count
    if counts.count > maxCount || byteCount > maxByteCount { forgetRare() }
  }

  /// The most frequent texts; equally frequent ones in the order of their bytes.
  func top(_ count: Int) -> [Entry] {
    counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(count)
      .map { Entry(text: String(decoding: $0.key.bytes, as: UTF8.self), count: $0.value) }
  }

  private mutating func forgetRare() {
    let limit = counts.values.sorted()[counts.count / 2]
    counts = counts.filter { $0.value > limit }
    byteCount = counts.reduce(0) { $0 + $1.key.bytes.count }
    missed += limit
  }

  private struct Key: Hashable, Comparable {
    let bytes: ArraySlice<UInt8>

    static func == (lhs: Key, rhs: Key) -> Bool {
      lhs.bytes.withUnsafeBytes { left in rhs.bytes.withUnsafeBytes { left.hasSameBytes(as: $0) } }
    }

    static func < (lhs: Key, rhs: Key) -> Bool { lhs.bytes.lexicographicallyPrecedes(rhs.bytes) }

    func hash(into hasher: inout Hasher) {
      bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
  }
}
