import Observation
import Weir
import WeirRx

/// A model as in user code.
final class Account: ObservableObject {
  @Published var username = ""
  @Published var nickname: String?
  @Published var age = 0
  let city = CurrentValueRelay("")
  let street = CurrentValueSubject<String, Never>("")
  var plain = ""

  /// Computed from published properties.
  var greeting: String {
    get { "\(username), \(age)" }
    set { username = String(newValue.prefix { $0 != "," }) }
  }
}

/// A text that trims itself.
final class Trimmed: ObservableObject {
  @Published var text = "" {
    didSet { if text != text.trimmed { text = text.trimmed } }
  }
}

/// A text that is set twice for each change.
final class AlwaysTrimmed: ObservableObject {
  @Published private var stored = Opaque("")
  var text: Opaque {
    get { stored }
    set {
      stored = newValue
      stored = Opaque(newValue.text.trimmed)
    }
  }
}

/// A text that is trimmed before it is stored.
final class StoredTrimmed: ObservableObject {
  @Published private var stored = ""
  var text: String {
    get { stored }
    set { stored = newValue.trimmed }
  }
}

final class Loud: ObservableObject {
  @Published var text = "" {
    didSet { if text != text.uppercased() { text = text.uppercased() } }
  }
}

final class Quiet: ObservableObject {
  @Published var text = "" {
    didSet {
      sets += 1
      if text != text.lowercased() { text = text.lowercased() }
    }
  }
  var sets = 0
}

/// A value that is not `Equatable`.
struct Opaque {
  var text: String
  init(_ text: String) { self.text = text }
}

@Observable
final class Settings {
  var name = ""
  var volume = 0
}

extension String {
  var trimmed: String {
    let start = drop { $0 == " " }
    return String(
      start.prefix(start.lastIndex { $0 != " " }.map { start.distance(from: start.startIndex, to: $0) + 1 } ?? 0))
  }
}
