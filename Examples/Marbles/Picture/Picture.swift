import WeirTesting

/// A rectangle of a picture.
struct Box: Equatable {
  var x: Double
  var y: Double
  var width: Double
  var height: Double

  var middle: Double { x + width / 2 }
  var right: Double { x + width }
  var bottom: Double { y + height }

  func overlaps(_ other: Box) -> Bool {
    x < other.right && other.x < right && y < other.bottom && other.y < bottom
  }
}

/// A diagram as shapes with positions: values fall, demand and cancellations rise.
struct Picture {
  /// The contents of a shape.
  enum Kind: Equatable {
    /// A value, in one of the colors.
    case value(String, colour: Int?)
    case finish
    case failure
    case subscription

    /// A cancellation, with its rising arrow.
    case cancellation

    /// Demand, with its rising arrow.
    case demand(String)

    /// The label of a line.
    case label(String)

    /// The code that is run, in lines.
    case code([String])
  }

  /// A shape that no other may overlap.
  struct Shape {
    let kind: Kind
    let box: Box
  }

  /// The line of a publisher, while it is active.
  struct Strand {
    let y: Double
    let from: Double
    let to: Double

    /// Whether it continues to the right.
    let isOpen: Bool
  }

  /// The path of a value, into the code or out of it.
  struct Fall {
    let x: Double
    let from: Double
    let to: Double
    let colour: Int?
  }

  let name: String

  /// The events in words.
  let description: String
  var width = 0.0
  var height = 0.0
  var shapes: [Shape] = []
  var strands: [Strand] = []
  var falls: [Fall] = []
}

/// The measures of a picture.
enum Measure {
  static let margin = 16.0
  static let mark = 26.0
  static let label = 20.0
  static let lane = 24.0
  static let codeLine = 18.0
  static let gap = 16.0
  static let emptyFrame = 16.0

  /// The usual width of the lines.
  static let usualWidth = 310.0

  /// The width of a character of the code, and of a value.
  static let sign = 7.3
  static let valueSign = 7.9

  static func width(of mark: MarbleDiagram.Mark) -> Double {
    switch mark {
    case .value(let token): max(Measure.mark, Double(token.count) * valueSign + 16)
    case .finished: 12
    case .failure: 20
    case .subscription: 12
    case .cancellation: 16
    }
  }

  static func width(ofDemand text: String) -> Double { Double(text.count) * sign + (text == "∞" ? 18 : 14) }
}
