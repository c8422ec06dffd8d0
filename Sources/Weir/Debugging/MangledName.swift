/// The name of a function as the linker knows it, as far as it tells whose the function is.
struct MangledName {
  private let name: String

  init(_ name: String) {
    self.name = name
  }

  /// Whether it is surely a function of this library, or one of the standard library's that stands between two of ours.
  ///
  /// A method that another module adds to a type of ours has our module at the beginning too, and its own before an E.
  var isOwn: Bool {
    if name.hasPrefix("$ss") || name.hasPrefix("$sS") { return true }
    guard let module = Self.modules.first(where: { name.hasPrefix("$s\($0)") }) else { return false }
    var rest = name.dropFirst(2 + module.utf8.count)
    while let start = rest.firstIndex(where: \.isNumber) {
      rest = rest[start...]
      let identifier = Self.identifier(at: rest)
      rest = rest.dropFirst(max(1, identifier.count))
      if rest.first == "E", !identifier.isEmpty, !Self.modules.contains(String(identifier)) { return false }
    }
    return true
  }

  /// An identifier: its length and its text; or after a 0 parts of it, where letters stand for words that came before, a
  /// capital for the last one.
  private static func identifier(at text: Substring) -> Substring {
    var rest = text
    var hasWords = rest.first == "0"
    if hasWords { rest.removeFirst() }
    repeat {
      while hasWords, let letter = rest.first, letter.isLetter {
        hasWords = letter.isLowercase
        rest.removeFirst()
      }
      if rest.first == "0" {
        rest.removeFirst()
        break
      }
      let digits = rest.prefix { $0.isNumber }
      guard let length = Int(digits), length <= rest.count - digits.count else {
        return rest[rest.startIndex..<rest.startIndex]
      }
      rest = rest.dropFirst(digits.count + length)
    } while hasWords
    return text[..<rest.startIndex]
  }

  /// This library's, and the same where "Weir" is a word that came before, the first.
  private static let modules: [String] = CallSites.modules.flatMap { module in
    let rest = module.dropFirst("Weir".count)
    return ["\(module.count)\(module)"] + (rest.isEmpty ? [] : ["0A\(rest.count)\(rest)"])
  }
}
