import Weir
import WeirRx
import WeirTesting

/// A pipeline that is run and drawn.
struct Diagram: Sendable {
  /// The name that people search for, such as `map` or `drop(while:)`; with its type for an own version, such as
  /// `Single.map`.
  let name: String

  /// The label of the result's row: exactly the code that is run.
  let code: String

  /// The declaration whose documentation contains the drawing.
  let declaration: Declaration

  /// Whether the requests to the upstreams are drawn.
  let showsAsking: Bool

  /// The number of frames to run; without a number, until no event is pending.
  let frames: Int?

  private let build: @MainActor @Sendable (Stage) throws -> Void

  /// A pipeline with one subscriber, which requests `demand` and cancels in the frame `cancel`.
  ///
  /// The requests to the upstreams are drawn if `asking` is set, by default unless the subscriber simply requests
  /// unlimited demand. The drawing belongs to the first function or type with the name, unless `declaration` names
  /// another. A name such as `Single.map` belongs to the first one in that type.
  init<P: Publisher>(
    _ name: String, _ code: String, demand: String = "∞", cancel: Int? = nil, asking: Bool? = nil, frames: Int? = nil,
    in declaration: Declaration? = nil,
    _ build: @escaping @MainActor @Sendable (Stage, VirtualTimeScheduler) throws -> P
  ) {
    self.init(name, code, asking: asking ?? (demand != "∞"), frames: frames, in: declaration) { stage in
      try stage.subscribe(to: build(stage, stage.clock), as: code, demand: demand, cancel: cancel)
    }
  }

  /// A pipeline with one subscriber, without time.
  init<P: Publisher>(
    _ name: String, _ code: String, demand: String = "∞", cancel: Int? = nil, asking: Bool? = nil, frames: Int? = nil,
    in declaration: Declaration? = nil, _ build: @escaping @MainActor @Sendable (Stage) throws -> P
  ) {
    self.init(name, code, demand: demand, cancel: cancel, asking: asking, frames: frames, in: declaration) { stage, _ in
      try build(stage)
    }
  }

  /// A pipeline whose subscribers are attached by `run`.
  init(
    _ name: String, _ code: String, asking: Bool = false, frames: Int? = nil, in declaration: Declaration? = nil,
    run: @escaping @MainActor @Sendable (Stage) throws -> Void
  ) {
    self.name = name
    self.code = code
    let named = Declaration(of: String(name.prefix { $0 != "(" }))
    var declaration = declaration ?? named
    if declaration.file == nil { declaration.owner = named.owner }
    self.declaration = declaration
    showsAsking = asking
    self.frames = frames
    build = run
  }

  /// Runs the pipeline and records its events.
  @MainActor
  func record() throws -> Recording {
    let stage = Stage()
    // Drivers and signals deliver in virtual time too.
    try SharingScheduler.mock(scheduler: stage.clock) {
      try build(stage)
      try stage.run(frames: frames)
    }
    return Recording(stage.tracks, code: code, showsAsking: showsAsking, frames: frames.map { $0 + 1 } ?? 0)
  }
}

/// The declaration that documents a diagram.
struct Declaration: Hashable, Sendable {
  /// A part of the declaration's line, such as `func map` or `struct Just`.
  ///
  /// No letter may follow it.
  let text: String

  /// The name of the file without `.swift`, if others contain the same text.
  var file: String?

  /// The type that contains it, if others contain the same.
  var owner: String?

  /// Creates the declaration of a function, or of a type with this name; a prefix before a dot is the function's type.
  init(of name: String) {
    let parts = name.split(separator: ".").map(String.init)
    let last = parts.last ?? name
    text = last.first?.isUppercase ?? false ? last : "func \(last)"
    // These are other names of one type.
    owner = parts.dropLast().last.map { ["Driver", "Signal"].contains($0) ? "SharedSequence" : $0 }
  }

  /// The name of the declaration.
  var name: String? {
    let words = text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
    if words.first?.first?.isUppercase ?? false { return words.first }
    let keywords: Set = ["func", "var", "struct", "class", "enum", "typealias", "case"]
    return words.firstIndex(where: keywords.contains).flatMap { words.dropFirst($0 + 1).first }
  }

  /// The possible texts of the declaration's line.
  var texts: [String] {
    text.first?.isUppercase ?? false ? ["struct", "class", "enum", "typealias"].map { "\($0) \(text)" } : [text]
  }

  /// Creates a declaration from the text of its line.
  init(_ text: String, file: String? = nil) {
    self.text = text
    self.file = file
  }
}

extension Declaration: ExpressibleByStringLiteral {
  init(stringLiteral text: String) {
    self.init(text)
  }
}

/// Diagrams of one kind.
struct Family: Sendable {
  let name: String
  let diagrams: [Diagram]

  // A result builder, because the compiler checks its statements separately, unlike an array literal of many closures.
  init(_ name: String, @DiagramsBuilder diagrams: () -> [Diagram]) {
    self.name = name
    self.diagrams = diagrams()
  }
}

@resultBuilder
enum DiagramsBuilder {
  static func buildPartialBlock(first: Diagram) -> [Diagram] { [first] }
  static func buildPartialBlock(accumulated: [Diagram], next: Diagram) -> [Diagram] { accumulated + [next] }
}
