// swift-tools-version: 6.2

import PackageDescription

/// Programs that check the library's memory safety in optimized code.
///
/// `run` builds them and runs each case in its own process. They are a separate package because they are built for
/// release and may crash.
let package = Package(
  name: "Safety",
  platforms: [.macOS(.v15)],
  products: [.library(name: "CHeap", targets: ["CHeap"])],
  dependencies: [.package(name: "Weir", path: "../..")],
  targets: [
    .target(name: "Cases"),
    .target(name: "CHeap"),
    .target(
      name: "Pipelines",
      dependencies: [
        .product(name: "Weir", package: "Weir"), .product(name: "WeirControls", package: "Weir"),
        .product(name: "WeirRx", package: "Weir"),
      ]
    ),
    .executableTarget(
      name: "Reentry", dependencies: ["Cases", "Pipelines", .product(name: "Weir", package: "Weir")]),
    .executableTarget(
      name: "Leftovers",
      dependencies: [
        "Cases", "CHeap", "Pipelines", .product(name: "Weir", package: "Weir"),
        .product(name: "WeirControls", package: "Weir"), .product(name: "WeirDispatch", package: "Weir"),
        .product(name: "WeirFoundation", package: "Weir"), .product(name: "WeirRx", package: "Weir"),
        .product(name: "WeirTesting", package: "Weir"),
      ]
    ),
    .executableTarget(
      name: "Threads",
      dependencies: [
        "Cases", .product(name: "Weir", package: "Weir"), .product(name: "WeirDispatch", package: "Weir"),
        .product(name: "WeirFoundation", package: "Weir"), .product(name: "WeirRx", package: "Weir"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)
