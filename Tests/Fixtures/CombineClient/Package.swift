// swift-tools-version: 6.2

import PackageDescription

let combine = Target.Dependency.product(
  name: "Combine", package: "Weir", condition: .when(platforms: [.linux, .windows, .android]))

/// Targets with the names of the library's own examples and test targets.
let namesakes = [
  "SignupForm", "Marbles", "Thermostat", "LogStats", "ExampleTerminal", "TestSupport", "LoopbackServer",
]

let package = Package(
  name: "CombineClient",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Weir", path: "../../..")],
  targets: [
    .executableTarget(
      name: "CombineClient", dependencies: [combine, "Overloads", "Runtime"] + namesakes.map { .target(name: $0) }),
    .target(name: "Overloads", dependencies: [combine]),
    // The toolchain has a module with this name too.
    .target(name: "Runtime", dependencies: [combine], path: "Sources/Namesakes/Runtime"),
  ] + namesakes.map { .target(name: $0, path: "Sources/Namesakes/\($0)") },
  swiftLanguageModes: [.v6]
)
