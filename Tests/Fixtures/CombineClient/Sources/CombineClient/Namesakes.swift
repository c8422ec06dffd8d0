import Runtime

/// What the modules say that have a name of the library's or of the toolchain's.
let namesakes = [nameOfRuntime()]
