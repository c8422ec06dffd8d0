// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// On Linux the header and the library are in the default folders, and Debian's entry has a flag that the package
// manager warns about.
#if os(Linux)
let pkgConfig: String? = nil
#else
let pkgConfig: String? = "hiredis"
#endif

let package = Package(
  name: "RedisStream",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "WeirRedis", targets: ["WeirRedis"]),
    .executable(name: "RedisStream", targets: ["RedisStream"]),
  ],
  dependencies: [.package(name: "Weir", path: "../..")],
  targets: [
    .systemLibrary(
      name: "CHiredis", pkgConfig: pkgConfig, providers: [.apt(["libhiredis-dev"]), .brew(["hiredis"])]),
    .target(
      name: "WeirRedis",
      dependencies: [
        "CHiredis", .product(name: "Weir", package: "Weir"), .product(name: "WeirDispatch", package: "Weir"),
      ],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "RedisStream",
      dependencies: [
        "WeirRedis", .product(name: "Weir", package: "Weir"), .product(name: "WeirDispatch", package: "Weir"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "WeirRedisTests",
      dependencies: [
        "WeirRedis", .product(name: "Weir", package: "Weir"), .product(name: "WeirTesting", package: "Weir"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "RedisServerTests",
      dependencies: ["WeirRedis", "RedisStream", .product(name: "Weir", package: "Weir")],
      swiftSettings: settings
    ),
  ],
  swiftLanguageModes: [.v6]
)
