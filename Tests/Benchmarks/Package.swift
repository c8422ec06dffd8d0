// swift-tools-version: 6.2

import PackageDescription

// The functions of the C library in whose place the ones come that count allocations, see AllocationCounter.swift.
let counted = ["malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign", "free"].flatMap {
  ["-Xlinker", "--defsym=\($0)=counted_\($0)", "-Xlinker", "--export-dynamic-symbol=\($0)"]
}

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Weir", path: "../.."),
    .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
    .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
  ],
  targets: [
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "AllocationCounter",
        "InWeir",
        "Scrabble",
        "ScrabbleInWeir",
        "ScrabbleInOpenCombine",
        .product(name: "Weir", package: "Weir"),
        .product(name: "WeirControls", package: "Weir"),
        .product(name: "WeirDispatch", package: "Weir"),
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "OpenCombineDispatch", package: "OpenCombine"),
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
      ],
      linkerSettings: [.unsafeFlags(counted, .when(platforms: [.linux]))]
    ),
    .target(name: "AllocationCounter"),
    .target(name: "Scrabble"),
    .target(name: "ScrabbleInWeir", dependencies: ["Scrabble", .product(name: "Weir", package: "Weir")]),
    .target(
      name: "ScrabbleInOpenCombine",
      dependencies: ["Scrabble", .product(name: "OpenCombine", package: "OpenCombine")],
      swiftSettings: [.define("OPENCOMBINE")]
    ),
    .target(name: "InWeir", dependencies: [.product(name: "Weir", package: "Weir")]),
    .executableTarget(
      name: "Instructions",
      dependencies: ["AllocationCounter", "InWeir", .product(name: "Weir", package: "Weir")],
      linkerSettings: [.unsafeFlags(counted, .when(platforms: [.linux]))]
    ),
    .executableTarget(
      name: "Scaling",
      dependencies: [
        .product(name: "Weir", package: "Weir"),
        .product(name: "WeirControls", package: "Weir"),
        .product(name: "WeirRx", package: "Weir"),
        .product(name: "WeirTesting", package: "Weir"),
      ]
    ),
    .executableTarget(name: "PriceOfWeir", dependencies: [.product(name: "Weir", package: "Weir")]),
    .executableTarget(
      name: "PriceOfOpenCombine",
      dependencies: [.product(name: "OpenCombine", package: "OpenCombine")],
      swiftSettings: [.define("OPENCOMBINE")]
    ),
  ],
  swiftLanguageModes: [.v6]
)
