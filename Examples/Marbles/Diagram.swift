import Weir
import WeirRx
import WeirTesting

/// A pipeline to be run and drawn.
struct Diagram: Sendable {
  /// The name as people look for it, such as `map`, `drop(while:)` or, of a type that has its own, `Single.map`.
  let name: String

  /// What the row of the result is called: the very code that is run.
  let code: String

  /// The declaration whose documentation shows the drawing.
  let declaration: Declaration

  /// Whether it is drawn what the upstreams were asked for.
  let showsAsking: Bool

  /// How many frames are run; if there is no number, as long as something is going to happen.
  let frames: Int?

  private let build: @MainActor @Sendable (Stage) throws -> Void

  /// A pipeline with one subscriber, which asks for `demand` and cancels in the frame `cancel`.
  ///
  /// What the upstreams were asked for is drawn if `asking` says so; by default if the subscriber doesn't simply ask for
  /// everything. The drawing belongs to the first function or type of that name, unless `declaration` names another; of
  /// `Single.map` and the like, to the first in that type.
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

  /// Runs the pipeline and writes down what happens.
  @MainActor
  func record() throws -> Recording {
    let stage = Stage()
    // Drivers and signals deliver in virtual time, as everything else does.
    try SharingScheduler.mock(scheduler: stage.clock) {
      try build(stage)
      try stage.run(frames: frames)
    }
    return Recording(stage.tracks, code: code, showsAsking: showsAsking, frames: frames.map { $0 + 1 } ?? 0)
  }
}

/// Where a diagram is documented.
struct Declaration: Hashable, Sendable {
  /// What the line of the declaration holds, such as `func map` or `struct Just`; what follows must not be a letter.
  let text: String

  /// The name of the file without `.swift`, where others hold the same.
  var file: String?

  /// The type that it belongs to, where others have the same.
  var owner: String?

  /// A function, or a type if the name is one's; what stands before a dot is the function's type.
  init(of name: String) {
    let parts = name.split(separator: ".").map(String.init)
    let last = parts.last ?? name
    text = last.first?.isUppercase ?? false ? last : "func \(last)"
    // The two are other names of one type.
    owner = parts.dropLast().last.map { ["Driver", "Signal"].contains($0) ? "SharedSequence" : $0 }
  }

  /// What is declared.
  var name: String? {
    let words = text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
    if words.first?.first?.isUppercase ?? false { return words.first }
    let keywords: Set = ["func", "var", "struct", "class", "enum", "typealias", "case"]
    return words.firstIndex(where: keywords.contains).flatMap { words.dropFirst($0 + 1).first }
  }

  /// What may stand in the line of the declaration.
  var texts: [String] {
    text.first?.isUppercase ?? false ? ["struct", "class", "enum", "typealias"].map { "\($0) \(text)" } : [text]
  }

  /// What the line of the declaration holds.
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

  // Each statement is checked by itself, which an array literal of so many closures is not.
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
