import Weir
import WeirTesting

extension Catalogue {
  static let buffering = Family("Buffering") {
    Diagram(
      "buffer", ".buffer(size: 2, prefetch: .keepFull, whenFull: .dropOldest)", demand: "1-------2", asking: true
    ) {
      try $0.letters("-a-bcd-|").buffer(size: 2, prefetch: .keepFull, whenFull: .dropOldest)
    }
    Diagram(
      "buffer(keepFull)", ".buffer(size: 1, prefetch: .keepFull, whenFull: .dropNewest)", demand: "1-------2",
      asking: true, in: Declaration("case keepFull", file: "Buffer")
    ) {
      try $0.letters("-a-bcd-|").buffer(size: 1, prefetch: .keepFull, whenFull: .dropNewest)
    }
    Diagram(
      "buffer(dropOldest)", ".buffer(size: 1, prefetch: .byRequest, whenFull: .dropOldest)", demand: "1-------2",
      asking: true, in: Declaration("case dropOldest", file: "Buffer")
    ) {
      try $0.letters("-a-bcd-|").buffer(size: 1, prefetch: .byRequest, whenFull: .dropOldest)
    }
    Diagram(
      "buffer(byRequest)", ".buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest)", demand: "1-------2",
      asking: true, in: Declaration("case byRequest", file: "Buffer")
    ) {
      try $0.letters("-a-bcd-|").buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest)
    }
    Diagram(
      "buffer(dropNewest)", ".buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest)", demand: "1-------2",
      asking: true, in: Declaration("case dropNewest", file: "Buffer")
    ) {
      try $0.letters("-a-bcd-|").buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest)
    }
    Diagram(
      "buffer(customError)", ".buffer(size: 2, prefetch: .byRequest, whenFull: .customError { Oops() })",
      demand: "1-------2", asking: true, in: Declaration("case customError", file: "Buffer")
    ) {
      try $0.failing("-1-234-|").buffer(size: 2, prefetch: .byRequest, whenFull: .customError { Oops() })
    }
  }
}
