import Combine

/// The name of this module, which one of the toolchain's modules has too, through a pipeline.
public func nameOfRuntime() -> String {
  var name = ""
  let subscription = Just("Runtime").map { $0 }.sink { name = $0 }
  subscription.cancel()
  return name
}
