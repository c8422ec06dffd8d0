// swift-tools-version: 6.2

import PackageDescription

/// Clients in Swift 6 mode: one with explicit isolation, and one with the main actor as default isolation.
///
/// The third is in Swift 5 mode. The last has operators with the names of the library's.
let package = Package(
  name: "Swift6Client",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Weir", path: "../../..")],
  targets: [
    .executableTarget(
      name: "Nonisolated",
      dependencies: [
        .product(name: "Weir", package: "Weir"), .product(name: "WeirDispatch", package: "Weir"),
        .product(name: "WeirRx", package: "Weir"),
      ]
    ),
    .executableTarget(
      name: "MainActorByDefault",
      dependencies: [
        .product(name: "Weir", package: "Weir"), .product(name: "WeirDispatch", package: "Weir"),
        .product(name: "WeirRx", package: "Weir"),
      ],
      swiftSettings: [
        .defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
      ]
    ),
    .executableTarget(
      name: "InSwift5",
      dependencies: [.product(name: "Weir", package: "Weir"), .product(name: "WeirRx", package: "Weir")],
      swiftSettings: [.swiftLanguageMode(.v5)]
    ),
    .executableTarget(
      name: "OwnOperators",
      dependencies: [.product(name: "Weir", package: "Weir"), .product(name: "WeirRx", package: "Weir")]
    ),
  ],
  swiftLanguageModes: [.v6]
)
