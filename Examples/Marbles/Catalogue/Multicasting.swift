import Weir
import WeirTesting

extension Catalogue {
  static let multicasting = Family("Multicasting") {
    Diagram("share", ".share()", in: Declaration("func share()", file: "Share")) { stage in
      let shared = try stage.letters("-a-b-c-d-|").share()
      try stage.subscribe(to: shared, as: ".share()")
      try stage.subscribe(to: shared, as: "later", at: 4)
    }
    Diagram("multicast", ".multicast { PassthroughSubject() }", in: "func multicast<S: Subject>(_ createSubject") {
      stage in
      let shared = try stage.letters("-a-b-c-d-|").multicast { PassthroughSubject() }
      try stage.subscribe(to: shared, as: ".multicast { PassthroughSubject() }")
      try stage.subscribe(to: shared, as: "later", at: 6)
      stage.connect(shared, at: 3)
    }
    Diagram("makeConnectable", ".makeConnectable()") { stage in
      let connectable = try stage.letters("-a-b-|").makeConnectable()
      try stage.subscribe(to: connectable, as: ".makeConnectable()")
      stage.connect(connectable, at: 3)
    }
    Diagram("autoconnect", ".makeConnectable().autoconnect()") {
      try $0.letters("-a-b-|").makeConnectable().autoconnect()
    }
  }
}
