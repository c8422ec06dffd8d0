// swift-tools-version: 6.2

import PackageDescription

/// Programs that run for minutes in optimized code.
///
/// `.ci/full random` runs `Random` under Address Sanitizer, and `.ci/full soak` runs `Soak`. They are a separate
/// package so that the gate, which runs all cases of `Safety`, doesn't build them.
let package = Package(
  name: "Campaigns",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Weir", path: "../.."), .package(name: "Safety", path: "../Safety")],
  targets: [
    .executableTarget(
      name: "Random",
      dependencies: [
        .product(name: "Weir", package: "Weir"), .product(name: "WeirRx", package: "Weir"),
        .product(name: "WeirTesting", package: "Weir"),
      ]
    ),
    .executableTarget(
      name: "Soak",
      dependencies: [
        .product(name: "CHeap", package: "Safety"), .product(name: "Weir", package: "Weir"),
        .product(name: "WeirDispatch", package: "Weir"), .product(name: "WeirRx", package: "Weir"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)
