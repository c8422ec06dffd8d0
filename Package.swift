// swift-tools-version: 6.2

import PackageDescription

/// A separate build with only the interleaving tests, which decide the order of threads.
let isInterleaved = Context.environment["WEIR_INTERLEAVE"] != nil

/// Builds as for a platform with one thread, without Dispatch, and without the functions of a C library.
let isBare = Context.environment["WEIR_BARE"] != nil

/// Counts the locks that each thread holds, so that the tests stop if user code runs under one of Weir's locks.
///
/// A client's debug build doesn't pay for it: up to a sixth of the instructions.
let countsLocks = Context.environment["WEIR_HELD_LOCKS"] != nil

let settings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    isBare ? .define("WEIR_BARE") : .define("WEIR_BARE", .when(platforms: [.wasi])),
  ] + (isInterleaved ? [.define("WEIR_INTERLEAVE")] : [])
  + (countsLocks ? [.define("WEIR_HELD_LOCKS", .when(configuration: .debug))] : [])

/// Excludes the module of this name, for packages that already define one.
///
/// Only its tests depend on it, so Apple's Combine is never hidden.
let hasCombine = Context.environment["WEIR_WITHOUT_COMBINE"] == nil

let package = Package(
  name: "Weir",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  targets: [
    .target(name: "CWeirRuntime"),
    // Performance: a debug build inlines the transparent functions of other modules only, so locks are a module.
    .target(name: "WeirLocks", swiftSettings: settings),
    .target(name: "Weir", dependencies: ["CWeirRuntime", "WeirLocks"], swiftSettings: settings),
    .target(name: "WeirDispatch", dependencies: ["Weir"], swiftSettings: settings),
    .target(name: "WeirFoundation", dependencies: ["Weir", "WeirDispatch"], swiftSettings: settings),
    .target(name: "WeirRx", dependencies: ["Weir", "WeirDispatch"], swiftSettings: settings),
    .target(name: "WeirControls", dependencies: ["Weir", "WeirDispatch", "WeirRx"], swiftSettings: settings),
    .target(name: "WeirTesting", dependencies: ["Weir"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

if hasCombine {
  package.targets.append(
    .target(name: "Combine", dependencies: ["Weir", "WeirDispatch", "WeirFoundation"], swiftSettings: settings))
}

/// The targets of the library that aren't products.
let internalTargets = ["CWeirRuntime", "WeirLocks"]

/// The targets that a target depends on, and itself.
@MainActor
func modules(of name: String) -> Set<String> {
  let target = package.targets.first { $0.name == name }
  return (target?.dependencies ?? []).reduce(into: [name]) { found, dependency in
    if case .byNameItem(let name, _) = dependency { found.formUnion(modules(of: name)) }
  }
}

// A library is a product with all targets that it depends on. SwiftPM compiles a client's target again only if a module
// of its products has changed. A client contains code of all these modules, because they are inlinable. With fewer
// targets, a client's old code would call the new library after an update.
package.products = package.targets.map(\.name).filter { !internalTargets.contains($0) }.map { name in
  .library(name: name, targets: modules(of: name).sorted())
}

// These tests call no POSIX function, so they also run on Windows.
package.targets += [
  .testTarget(name: "WeirDispatchTests", dependencies: ["Weir", "WeirDispatch"], swiftSettings: settings),
  .testTarget(
    name: "ReadmeTests", dependencies: ["Weir", "WeirRx", "WeirControls", "WeirTesting"], swiftSettings: settings),
]

// The examples and the other tests use POSIX for terminals, files, accounts and threads. The examples have no products,
// so a client builds none of these targets, and its own targets may have the same names. `swift run` finds them here.
#if !os(Windows)
package.targets += [
  .target(name: "ExampleTerminal", dependencies: ["Weir"], path: "Examples/Terminal", swiftSettings: settings),
  .executableTarget(
    name: "Thermostat",
    dependencies: ["Weir", "WeirRx", "WeirControls", "ExampleTerminal"],
    path: "Examples/Thermostat",
    exclude: ["README.md"],
    swiftSettings: settings
  ),
  .executableTarget(
    name: "SignupForm",
    dependencies: ["Weir", "WeirDispatch", "WeirRx", "WeirControls", "ExampleTerminal"],
    path: "Examples/SignupForm",
    exclude: ["README.md"],
    swiftSettings: settings
  ),
  .executableTarget(
    name: "Marbles",
    dependencies: ["Weir", "WeirDispatch", "WeirFoundation", "WeirRx", "WeirControls", "WeirTesting"],
    path: "Examples/Marbles",
    exclude: ["README.md"],
    swiftSettings: settings
  ),
  .target(
    name: "TestSupport", dependencies: ["Weir", "WeirTesting"], path: "Tests/TestSupport", swiftSettings: settings),
  .testTarget(name: "WeirTests", dependencies: ["Weir", "TestSupport"], swiftSettings: settings),
  .testTarget(
    name: "WeirRxTests",
    dependencies: ["Weir", "WeirDispatch", "WeirRx", "TestSupport"],
    swiftSettings: settings
  ),
  .testTarget(
    name: "ConformanceTests",
    dependencies: [
      "Weir", "WeirDispatch", "WeirFoundation", "WeirRx", "WeirControls", "WeirTesting", "TestSupport",
    ],
    swiftSettings: settings
  ),
  .testTarget(
    name: "WeirTestingTests", dependencies: ["Weir", "WeirDispatch", "WeirTesting", "TestSupport"],
    swiftSettings: settings),
  .target(name: "LoopbackServer", path: "Tests/LoopbackServer", swiftSettings: settings),
  .testTarget(
    name: "WeirFoundationTests",
    dependencies: ["Weir", "WeirDispatch", "WeirFoundation", "TestSupport", "LoopbackServer"],
    swiftSettings: settings
  ),
  .testTarget(
    name: "WeirControlsTests",
    dependencies: ["Weir", "WeirDispatch", "WeirRx", "WeirControls", "TestSupport"],
    swiftSettings: settings
  ),
  .testTarget(
    name: "SignupFormTests",
    dependencies: ["Weir", "WeirRx", "WeirControls", "SignupForm", "ExampleTerminal", "TestSupport"],
    swiftSettings: settings
  ),
  .testTarget(
    name: "ThermostatTests", dependencies: ["Weir", "WeirControls", "Thermostat", "ExampleTerminal"],
    swiftSettings: settings),
  .testTarget(name: "MarblesTests", dependencies: ["Marbles", "WeirTesting"], swiftSettings: settings),
  .testTarget(
    name: "DocumentationTests",
    dependencies: ["Weir", "WeirDispatch", "WeirFoundation", "WeirRx", "WeirControls", "WeirTesting"],
    swiftSettings: settings
  ),
  .executableTarget(
    name: "LogStats", dependencies: ["Weir", "WeirDispatch"], path: "Examples/LogStats",
    exclude: ["README.md", "compare", "statistics.awk"], swiftSettings: settings),
  .testTarget(name: "LogStatsTests", dependencies: ["Weir", "WeirTesting", "LogStats"], swiftSettings: settings),
]
if hasCombine {
  package.targets.append(
    .testTarget(
      name: "CombineTests",
      dependencies: [
        .target(name: "Combine", condition: .when(platforms: [.linux, .windows, .android])), "Weir", "WeirDispatch",
        "WeirFoundation", "LoopbackServer",
      ],
      swiftSettings: settings
    ))
}
#endif

if isInterleaved {
  package.targets.removeAll { $0.type == .test }
  package.targets.append(
    .testTarget(
      name: "InterleavingTests", dependencies: ["Weir", "WeirControls", "WeirRx", "TestSupport"],
      swiftSettings: settings))
}

if isBare {
  // The examples and the other tests need Dispatch, threads or a terminal, and so do these files.
  let bareTests = ["WeirTests", "WeirRxTests", "WeirTestingTests"]
  let withThreads = [
    "WeirTestingTests": [
      "Subscribing/WaitingTests.swift", "Verification/NestedRuleTests.swift",
      "Verification/OperatorVerificationTests.swift",
    ]
  ]
  package.targets.removeAll { $0.type == .executable || $0.name == "ExampleTerminal" || $0.name == "LoopbackServer" }
  package.targets.removeAll { $0.type == .test && !bareTests.contains($0.name) }
  for target in package.targets { target.exclude += withThreads[target.name] ?? [] }
}

// A package index builds all targets for each platform, and the examples aren't for all of them.
if Context.environment["SPI_BUILD"] != nil {
  let libraries = package.products.map(\.name) + internalTargets
  package.targets.removeAll { !libraries.contains($0.name) }
}

/// `WEIR_TESTS=WeirTests,WeirRxTests` excludes the other test targets from the build.
if let names = Context.environment["WEIR_TESTS"]?.split(separator: ",").map(String.init) {
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}
