// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "CombineClient",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Weir", path: "../../..")],
  targets: [
    .executableTarget(
      name: "CombineClient",
      dependencies: [
        .product(name: "Combine", package: "Weir", condition: .when(platforms: [.linux, .windows, .android]))
      ]
    )
  ],
  swiftLanguageModes: [.v6]
)
