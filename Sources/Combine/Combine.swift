/// Weir under Combine's name: code that says `import Combine` compiles unchanged where Apple's framework is absent.
///
/// Let the target depend on this product on those platforms only; on Apple's, `import Combine` is then Combine itself.
///
///     .target(
///       name: "App",
///       dependencies: [
///         .product(
///           name: "Combine", package: "Weir", condition: .when(platforms: [.linux, .windows, .android]))
///       ])
@_exported public import Weir
@_exported public import WeirDispatch
@_exported public import WeirFoundation
