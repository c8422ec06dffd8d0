import Weir
import WeirTesting

extension Catalogue {
  static let debugging = Family("Debugging") {
    Diagram("handleEvents", ".handleEvents(receiveOutput: { log($0) })") {
      try $0.letters("-a-b-|").handleEvents(receiveOutput: { log($0) })
    }
    Diagram("print", ".print(to: NoLines())") { try $0.letters("-a-b-|").print(to: NoLines()) }
    Diagram("breakpoint", ".breakpoint(receiveOutput: { $0 > 2 })") {
      try $0.numbers("-1-2-|").breakpoint(receiveOutput: { $0 > 2 })
    }
    Diagram("checkpoint", ".checkpoint(name)") { try $0.letters("-a-b-|").checkpoint(name) }
    Diagram("breakpointOnError", ".breakpointOnError()") { try $0.failing("-1-2-|").breakpointOnError() }
  }
}

/// The name of a checkpoint.
private let name = "prices"
