/// Generates a log: the same one for the same size and seed.
///
/// A week of a shop's server, with days and nights, two hours with errors, favorite pages, requests that are logged
/// late, both formats, and some malformed lines.
struct Generator {
  private var random: Random
  private var time = Day(year: 2025, month: 10, day: 6).number * 86_400
  private let end: Int
  private var clock = 0.0
  private var lastStamp = (time: -1, text: "")
  private let secondsPerLine: Double
  private let hosts: [String]
  private let paths: [String]

  init(size: Int, seed: UInt64) {
    random = Random(state: seed)
    end = time + week
    secondsPerLine = Double(week) / max(Double(size) / meanLength, 1)
    var random = Random(state: seed ^ 0x5DEE_CE66)
    hosts = (0..<20_000).map { number in
      number % 11 == 10
        ? "2001:db8:\(String(number, radix: 16))::\(String(random.below(65_536), radix: 16))"
        : "\(11 + random.below(180)).\(random.below(256)).\(random.below(256)).\(1 + random.below(254))"
    }
    let sections = ["products", "articles", "users", "api/v1/orders", "static/images"]
    paths =
      ["/", "/index.html", "/static/app.css", "/static/app.js", "/favicon.ico", "/login", "/cart", "/search"]
      + (8..<4000).map { "/\(sections[$0 % sections.count])/\(1000 + $0 * 7)" }
  }

  /// Appends the next line with its line break.
  mutating func next(into bytes: inout [UInt8]) {
    advance()
    if random.below(10_000) == 0 { return addMalformed(into: &bytes) }
    add(line(isPlain: false), to: &bytes)
  }

  private mutating func line(isPlain: Bool) -> String {
    let host = hosts[random.favorite(of: hosts.count)]
    let user = random.below(50) > 0 ? "-" : isPlain || random.below(20) > 0 ? "alice" : "jane doe"
    let path = paths[random.favorite(of: paths.count)]
    let query = random.below(8) == 0 ? "?page=\(random.below(40))&sort=price" : ""
    let method = random.below(12) == 0 ? "POST" : "GET"
    let status = nextStatus()
    let size = status == 304 ? "-" : String(200 + random.below(200) * random.below(400))
    let time = time - (random.below(20) == 0 ? random.below(3) : 0)
    let request = "\(host) - \(user) [\(stamp(time))] \"\(method) \(path)\(query) HTTP/1.1\" \(status) \(size)"
    if !isPlain, random.below(10) == 0 { return request }
    let referer = random.below(3) == 0 ? "-" : "https://shop.example\(paths[random.favorite(of: paths.count)])"
    let agent = agents[random.below(isPlain ? agents.count - 1 : agents.count)]
    return "\(request) \"\(referer)\" \"\(agent)\""
  }

  private mutating func nextStatus() -> Int {
    // The server has errors on the afternoon of the fourth day.
    let hours = (time - (end - week)) / 3600
    if 86...87 ~= hours, random.below(4) == 0 { return 503 }
    return switch random.below(1000) {
    case ..<880: 200
    case ..<935: 304
    case ..<960: 301
    case ..<985: 404
    case ..<992: 403
    case ..<997: 500
    default: 206
    }
  }

  private mutating func addMalformed(into bytes: inout [UInt8]) {
    switch random.below(4) {
    case 0: add("", to: &bytes)
    case 1: add("Segmentation fault (core dumped)", to: &bytes)
    case 2: add("\u{1}\u{3}\u{1B}[2J\u{0}binary \"rubbish\" 200 17", to: &bytes)
    default:
      let whole = line(isPlain: true)
      add(String(whole.prefix(10 + random.below(whole.utf8.count - 10))), to: &bytes)
    }
  }

  private func add(_ line: String, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: line.utf8)
    bytes.append(newline)
  }

  /// Advances to the time of the next line: far by night, with little traffic, and less by day.
  private mutating func advance() {
    let hour = time / 3600 % 24
    clock += secondsPerLine * 100 / Double(weights[hour])
    let seconds = Int(clock)
    clock -= Double(seconds)
    time = min(time + seconds, end - 1)
  }

  private mutating func stamp(_ time: Int) -> String {
    if time == lastStamp.time { return lastStamp.text }
    let day = Day(number: time / 86_400)
    let text =
      "\(day.day.padded(2))/\(Day.monthNames[day.month - 1])/\(day.year):\(time.clock):\((time % 60).padded(2)) +0000"
    lastStamp = (time, text)
    return text
  }
}

private let week = 7 * 86_400

/// The average length of a line.
private let meanLength = 181.0

/// The traffic in each hour of the day, in percent of the average.
private let weights = [
  45, 35, 28, 25, 25, 30, 45, 70, 105, 130, 140, 145, 140, 145, 150, 150, 145, 140, 145, 155, 150, 125, 95, 65,
]

private let agents = [
  "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/604.1",
  "Mozilla/5.0 (compatible; ExampleBot/2.1; +https://bot.example/about)",
  "curl/8.5.0",
  "Mozilla/5.0 (X11; Linux x86_64) \\\"quoted\\\" agent/1.0",
]

/// SplitMix64: small, and the same on every platform.
private struct Random {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ limit: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(limit)).high)
  }

  /// A number below the limit, with a strong preference for small ones.
  mutating func favorite(of limit: Int) -> Int {
    let part = Double(next() >> 11) / Double(1 << 53)
    return min(Int(part * part * part * Double(limit)), limit - 1)
  }
}
