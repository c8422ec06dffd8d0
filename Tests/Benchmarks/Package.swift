// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Weir", path: "../..")],
  targets: [
    .target(name: "AllocationCounter"),
    .executableTarget(name: "Instructions", dependencies: [.product(name: "Weir", package: "Weir")])
  ],
  swiftLanguageModes: [.v6]
)
