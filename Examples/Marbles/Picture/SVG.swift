import Foundation

/// Writes pictures as SVG.
enum SVG {
  /// A separate file, with colors for light and dark mode.
  static func file(_ picture: Picture) -> String {
    element(picture, id: "d", style: "<style>\(Style.colours(":root"))\(Style.shapes)</style>")
  }

  /// A part of a page, which defines the colors.
  static func element(_ picture: Picture, id: String, style: String = "") -> String {
    var svg = """
      <svg xmlns="http://www.w3.org/2000/svg" class="marbles" viewBox="0 0 \(number(picture.width)) \
      \(number(picture.height))" width="\(number(picture.width))" height="\(number(picture.height))" role="img" \
      aria-labelledby="\(id)-t \(id)-d"><title id="\(id)-t">\(escaped(picture.name))</title>\
      <desc id="\(id)-d">\(escaped(picture.description))</desc>\(style)\
      <rect class="card" width="100%" height="100%" rx="10"/>

      """
    for fall in picture.falls { svg += draw(fall) }
    for strand in picture.strands { svg += draw(strand) }
    for shape in picture.shapes { svg += draw(shape) }
    return svg + "</svg>\n"
  }

  private static func draw(_ fall: Picture.Fall) -> String {
    let x = number(fall.x)
    return """
      <path class="fall\(colour(fall.colour))" d="M\(x) \(number(fall.from + 2))V\(number(fall.to - 3))"/>\
      <path class="tip\(colour(fall.colour))" d="M\(x) \(number(fall.to - 1))l-3.5 -6h7z"/>

      """
  }

  private static func draw(_ strand: Picture.Strand) -> String {
    let (y, to) = (number(strand.y), number(strand.to))
    let arrow = strand.isOpen ? "<path class=\"arrow\" d=\"M\(to) \(y)l-7 -4v8z\"/>" : ""
    return "<path class=\"strand\" d=\"M\(number(strand.from)) \(y)H\(to)\"/>\(arrow)\n"
  }

  private static func draw(_ shape: Picture.Shape) -> String {
    let box = shape.box
    let (x, y, middle) = (number(box.x), number(box.y), number(box.middle))
    let centre = box.y + box.height / 2
    switch shape.kind {
    case .value(let token, let number):
      return """
        <rect class="value\(colour(number))" x="\(x)" y="\(y)" width="\(self.number(box.width))" \
        height="\(self.number(box.height))" rx="\(self.number(box.height / 2))"/>\
        \(text(token, class: "token", x: box.middle, y: centre + 4.5, width: token.count > 2 ? box.width - 16 : nil))

        """
    case .finish:
      return "<path class=\"finish\" d=\"M\(middle) \(number(box.y + 2))V\(number(box.bottom - 2))\"/>\n"
    case .failure:
      let (left, top) = (number(box.middle - 7), number(centre - 7))
      return "<path class=\"failure\" d=\"M\(left) \(top)l14 14m0 -14l-14 14\"/>\n"
    case .subscription:
      return "<circle class=\"subscription\" cx=\"\(middle)\" cy=\"\(number(centre))\" r=\"4\"/>\n"
    case .cancellation:
      let top = box.y + 6
      return """
        <path class="cancel" d="M\(number(box.middle - 7)) \(number(top))h14M\(middle) \(number(box.bottom - 2))V\(number(top))\
        m-4.5 6l4.5 -5l4.5 5"/>

        """
    case .demand(let amount):
      let arrow = box.x + 4.5
      return """
        <path class="demand" d="M\(number(arrow)) \(number(box.bottom - 2))V\(number(box.y + 3))m-3.5 4.5l3.5 -4l3.5 4"/>\
        \(text(amount, class: amount == "∞" ? "amount all" : "amount", x: box.x + 10.5, y: centre + 5))

        """
    case .label(let label): return text(label, class: "label", x: box.x, y: box.bottom - 4, width: box.width) + "\n"
    case .code(let lines):
      var svg = """
        <rect class="code" x="\(x)" y="\(y)" width="\(number(box.width))" height="\(number(box.height))" rx="7"/>

        """
      for (index, line) in lines.enumerated() {
        let y = box.y + 6 + Double(index) * Measure.codeLine + 13
        let indent = Double(line.prefix { $0 == " " }.count) * Measure.sign
        let line = line.trimmed
        svg +=
          text(
            line, class: "source", x: box.x + 12 + indent, y: y, width: Double(line.count) * Measure.sign) + "\n"
      }
      return svg
    }
  }

  /// Text that is limited to its space with any font.
  private static func text(_ text: String, class name: String, x: Double, y: Double, width: Double? = nil) -> String {
    let length = width.map { " textLength=\"\(number($0))\" lengthAdjust=\"spacingAndGlyphs\"" } ?? ""
    return "<text class=\"\(name)\" x=\"\(number(x))\" y=\"\(number(y))\"\(length)>\(escaped(text))</text>"
  }

  private static func colour(_ number: Int?) -> String { number.map { " c\($0)" } ?? "" }

  static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: ">", with: "&gt;").replacingOccurrences(of: "\"", with: "&quot;")
  }

  private static func number(_ value: Double) -> String {
    let rounded = (value * 10).rounded() / 10
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}
