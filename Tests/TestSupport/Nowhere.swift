/// A stream that drops its text.
struct Nowhere: TextOutputStream {
  mutating func write(_ string: String) {}
}
