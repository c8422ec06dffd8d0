// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "AsyncAlgorithmsClient",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Weir", path: "../../.."),
    .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
  ],
  targets: [
    .testTarget(
      name: "AsyncAlgorithmsTests",
      dependencies: [
        .product(name: "Weir", package: "Weir"),
        .product(name: "WeirRx", package: "Weir"),
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
      ]
    )
  ],
  swiftLanguageModes: [.v6]
)
