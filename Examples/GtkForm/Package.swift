// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Not for the form.
///
/// Its model imports the module of the controls that it was written for, and this package has others.
let strict = settings + [.enableUpcomingFeature("MemberImportVisibility")]

let weir: [Target.Dependency] = ["Weir", "WeirDispatch", "WeirRx", "WeirControls"].map {
  .product(name: $0, package: "Weir")
}

let package = Package(
  name: "GtkForm",
  products: [.library(name: "WeirGtk", targets: ["WeirGtk"])],
  dependencies: [.package(name: "Weir", path: "../..")],
  targets: [
    .systemLibrary(name: "CGtk4", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
    .target(name: "WeirGtk", dependencies: ["CGtk4"] + weir, swiftSettings: strict),
    .executableTarget(
      name: "GtkForm",
      dependencies: ["CGtk4", "WeirGtk"] + weir,
      resources: [.embedInCode("form.ui"), .embedInCode("form.css")],
      swiftSettings: settings
    ),
    .testTarget(name: "WeirGtkTests", dependencies: ["CGtk4", "WeirGtk"] + weir, swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
