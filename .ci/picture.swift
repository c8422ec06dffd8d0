// Creates an animated picture of a terminal's output from one file per frame, NUMBER-TENTHS, with the terminal's
// escapes.
import Foundation

let cell = (width: 8.4, height: 19.0)
let margin = 16.0

/// The style of a run of characters.
struct Look: Equatable {
  var classes: Set<String> = []

  mutating func apply(_ codes: [Int]) {
    for code in codes {
      switch code {
      case 0: classes = []
      case 1: classes.insert("bold")
      case 2: classes.insert("dim")
      case 4: classes.insert("line")
      case 7: classes.insert("bold")
      case 22: classes.subtract(["bold", "dim"])
      case 24: classes.remove("line")
      case 30...37, 39:
        classes = classes.filter { !$0.hasPrefix("c") }
        if code != 39 { classes.insert("c\(code - 30)") }
      default: break
      }
    }
  }
}

func escaped(_ text: String) -> String {
  text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
}

/// A line of the terminal as elements of the picture.
func drawn(_ line: Substring, row: Int) -> String {
  var look = Look()
  var runs: [(column: Int, look: Look, text: String)] = []
  var column = 0
  var rest = line
  while let sign = rest.first {
    if sign == "\u{1B}", let match = rest.prefixMatch(of: #/\x1B\[([0-9;]*)([A-Za-z])/#) {
      if match.output.2 == "m" { look.apply(match.output.1.split(separator: ";").compactMap { Int($0) }) }
      if match.output.1.isEmpty { look = Look() }
      rest = rest[match.range.upperBound...]
      continue
    }
    if runs.last?.look == look {
      runs[runs.count - 1].text.append(sign)
    } else {
      runs.append((column, look, String(sign)))
    }
    column += 1
    rest.removeFirst()
  }
  let baseline = margin + 30 + Double(row) * cell.height
  return runs.map { run in
    let x = margin + Double(run.column) * cell.width
    let width = Double(run.text.count) * cell.width
    var elements = ""
    if run.look.classes.contains("line") {
      elements += "<path class='rule' d='M\(x) \(baseline + 5)h\(width)'/>"
    }
    guard run.text.contains(where: { $0 != " " }) else { return elements }
    let classes = run.look.classes.subtracting(["line"]).sorted().joined(separator: " ")
    let attribute = classes.isEmpty ? "" : " class='\(classes)'"
    return elements
      + "<text x='\(x)' y='\(baseline)' textLength='\(width)'\(attribute) xml:space='preserve'>\(escaped(run.text))</text>"
  }.joined()
}

let frames = try CommandLine.arguments.dropFirst().map { path -> (tenths: Int, lines: [Substring]) in
  let text = try String(contentsOfFile: path, encoding: .utf8)
  return (
    Int(path.split(separator: "-").last ?? "") ?? 1, text.split(separator: "\n", omittingEmptySubsequences: false)
  )
}
let total = frames.reduce(0) { $0 + $1.tenths }
let rows = frames.map { frame in (frame.lines.lastIndex { !$0.isEmpty } ?? 0) + 1 }.max() ?? 0
let width = margin * 2 + 72 * cell.width
let height = margin * 2 + 30 + Double(rows) * cell.height

var rules = ""
var groups = ""
var start = 0
for (index, frame) in frames.enumerated() {
  let from = Double(start) / Double(total) * 100
  let to = Double(start + frame.tenths) / Double(total) * 100
  let isLast = index == frames.count - 1
  rules += String(
    format: "@keyframes f%d{0%%,%.3f%%{visibility:%@}%.3f%%{visibility:visible}%.3f%%,100%%{visibility:%@}}\n", index,
    max(0, from - 0.001), index == 0 ? "visible" : "hidden", from, to, isLast ? "visible" : "hidden")
  let lines = frame.lines.enumerated().map { drawn($1, row: $0) }.joined()
  groups += "<g style='animation-name:f\(index)'\(isLast ? " class='last'" : "")>\(lines)</g>\n"
  start += frame.tenths
}

print(
  """
  <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" role="img">
  <title>The sign-up form in a terminal, being filled in</title>
  <style>
  text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#d7dce2;white-space:pre}
  .bold{font-weight:600;fill:#fff} .dim{fill:#7d8793} .rule{stroke:#4b5563;fill:none}
  .c1{fill:#ff8a80} .c2{fill:#8fd694} .c3{fill:#ffd479} .c4,.c6{fill:#82c7ff} .c5{fill:#d7a6ff}
  g{visibility:hidden;animation:\(Double(total) / 10)s step-end infinite}
  \(rules)@media (prefers-reduced-motion:reduce){g{animation:none} .last{visibility:visible}}
  </style>
  <rect width="100%" height="100%" rx="10" fill="#161b22"/>
  <circle cx="20" cy="18" r="5" fill="#ff5f57"/><circle cx="38" cy="18" r="5" fill="#febc2e"/><circle cx="56" cy="18" r="5" fill="#28c840"/>
  \(groups)</svg>
  """)
