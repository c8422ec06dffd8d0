// swift-tools-version: 6.2

import PackageDescription

let combine = Target.Dependency.product(
  name: "Combine", package: "Weir", condition: .when(platforms: [.linux, .windows, .android]))

let package = Package(
  name: "CombineClient",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Weir", path: "../../..")],
  targets: [
    .executableTarget(name: "CombineClient", dependencies: [combine, "Runtime"]),
    // The toolchain has a module of this name, too.
    .target(name: "Runtime", dependencies: [combine], path: "Sources/Namesakes/Runtime"),
  ],
  swiftLanguageModes: [.v6]
)
