// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "SignupForm",
  platforms: [.macOS(.v15)],
  dependencies: [.package(path: "../Weir")],
  targets: [
    .executableTarget(
      name: "SignupForm",
      dependencies: [
        .product(name: "Weir", package: "Weir"),
        .product(name: "WeirDispatch", package: "Weir"),
        .product(name: "WeirRx", package: "Weir"),
        .product(name: "WeirControls", package: "Weir"),
      ]
    )
  ]
)
