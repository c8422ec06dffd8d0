import Combine

/// The name of this module, which is also that of one of the toolchain's, through a pipeline.
public func nameOfRuntime() -> String {
  var name = ""
  let subscription = Just("Runtime").map { $0 }.sink { name = $0 }
  subscription.cancel()
  return name
}
