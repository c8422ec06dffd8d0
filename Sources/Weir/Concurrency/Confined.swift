/// The place where a pipeline was assembled, for a message.
@usableFromInline
struct Origin {
  private let method: StaticString

  private let pipeline: any Any.Type

  /// The line of code, if the caller passes it to one of Weir's own methods.
  private let line: (fileID: StaticString, number: UInt)?

  /// The call stack, from which the message derives the line: Combine's methods have no parameters for it.
  ///
  /// Performance: recorded only in debug builds, because it takes some microseconds.
  private let calls: AssemblySites.Stack?

  @usableFromInline
  init(_ method: StaticString, of pipeline: any Any.Type) {
    self.method = method
    self.pipeline = pipeline
    line = nil
    #if DEBUG
    calls = .here(depth: 16)
    #else
    calls = nil
    #endif
  }

  @usableFromInline
  package init(_ method: StaticString, of pipeline: any Any.Type, at fileID: StaticString, _ line: UInt) {
    self.method = method
    self.pipeline = pipeline
    self.line = (fileID, line)
    calls = nil
  }

  /// A text with the method, its line and the pipeline.
  var description: String {
    let assemblySite = line.map { "\($0.fileID):\($0.number)" } ?? calls?.location?.description
    let at = assemblySite.map { " at \($0)" } ?? ""
    return "\(method)\(at), for the pipeline \(pipeline)"
  }
}

/// Returns a closure that stops the program if it is called off the actor that the original is isolated to.
///
/// A closure that is formed on an actor can access the actor's state. The compiler allows its conversion to a closure
/// without isolation, because such a closure can't be sent to another thread. A publisher sends it anyway.
/// `@isolated(any)` makes the closure tell its actor. A closure without an actor, such as a `@Sendable` one, is
/// returned unchanged and costs nothing.
@inlinable
@_transparent
func confined<Input>(
  _ body: @escaping @isolated(any) (Input) -> Void, _ origin: @autoclosure () -> Origin
) -> (Input) -> Void {
  if let actor = body.isolation { return guarded(withoutIsolation(body), to: actor, origin()) }
  return withoutIsolation(body)
}

@inlinable
func guarded<Input>(_ body: @escaping (Input) -> Void, to actor: any Actor, _ origin: Origin) -> (Input) -> Void {
  { value in
    requireIsolation(to: actor, origin)
    body(value)
  }
}

// Safety: both types have one layout and one calling convention, see below. (`IsolationTests`)
/// Returns the same closure with a type without isolation.
///
/// Both function types have the same layout and calling convention. The actor of an `@isolated(any)` closure is stored
/// in the closure's context. Swift has no synchronous conversion, because it would lose the actor, which is intended
/// here. The standard library does the same in `assumeIsolated`. Performance: inside of structs the compiler puts no
/// thunk between both closures, which would take several times as long to call.
@inlinable
@_transparent
func withoutIsolation<Input>(_ body: @escaping @isolated(any) (Input) -> Void) -> (Input) -> Void {
  unsafeBitCast(IsolatedClosure(body: body), to: PlainClosure<Input>.self).body
}

@usableFromInline
@frozen
struct IsolatedClosure<Input> {
  @usableFromInline
  let body: @isolated(any) (Input) -> Void

  @inlinable
  @_transparent
  init(body: @escaping @isolated(any) (Input) -> Void) {
    self.body = body
  }
}

@usableFromInline
@frozen
struct PlainClosure<Input> {
  @usableFromInline
  let body: (Input) -> Void
}

// Safety: as above. (`AnyCancellableTests/isolated`)
/// Returns the same closure without parameters, with a type without isolation.
///
/// Performance: a parameter pack would take 1,000 instructions.
func withoutIsolation(_ body: @escaping @isolated(any) () -> Void) -> () -> Void {
  unsafeBitCast(IsolatedAction(body: body), to: PlainAction.self).body
}

private struct IsolatedAction {
  let body: @isolated(any) () -> Void
}

private struct PlainAction {
  let body: () -> Void
}

/// Confines a closure with any number of parameters, which costs more to call.
@inlinable
package func confined<each Input>(
  _ body: @escaping @isolated(any) (repeat each Input) -> Void, _ method: StaticString, of pipeline: any Any.Type,
  _ fileID: StaticString, _ line: UInt
) -> (repeat each Input) -> Void {
  // Safety: both types have one layout and one calling convention, as in `withoutIsolation(_:)`.
  // (`ConfinedClosuresTests`)
  let run = unsafeBitCast(IsolatedClosures(body: body), to: PlainClosures<repeat each Input>.self).body
  guard let actor = body.isolation else { return run }
  let origin = Origin(method, of: pipeline, at: fileID, line)
  return { (input: repeat each Input) in
    requireIsolation(to: actor, origin)
    run(repeat each input)
  }
}

@usableFromInline
@frozen
struct IsolatedClosures<each Input> {
  @usableFromInline
  let body: @isolated(any) (repeat each Input) -> Void

  @inlinable
  init(body: @escaping @isolated(any) (repeat each Input) -> Void) {
    self.body = body
  }
}

@usableFromInline
@frozen
struct PlainClosures<each Input> {
  @usableFromInline
  let body: (repeat each Input) -> Void
}

/// Stops the program unless the caller runs on the actor.
@usableFromInline
@inline(never)
func requireIsolation(to actor: any Actor, _ origin: Origin) {
  requireIsolation(to: actor, leftActor(actor, origin))
}

/// Stops the program with a message unless the caller runs on the actor.
package func requireIsolation(to actor: any Actor, _ message: @autoclosure () -> String) {
  switch isRunning(on: actor) {
  case true?: return
  case false?: fatalError(message())
  case nil: actor.preconditionIsolated(message())
  }
}

private func leftActor(_ actor: any Actor, _ origin: Origin) -> String {
  let name = String(describing: type(of: actor))
  let wayOut =
    actor is MainActor
    ? """
    put .receive(on: DispatchQueue.main) before it, or use sink(on: MainActor.shared), or make it a Driver and use \
    drive (WeirRx)
    """
    : "put .receive(on: ActorScheduler(actor)) before it"
  return """
    A closure that is isolated to \(name) would have run off \(name), which can cause a data race. It was passed to \
    \(origin.description), by code on \(name). The publisher delivers on another thread. To run the closure on \
    \(name), \(wayOut). If it needs no state of \(name), declare it as { @Sendable value in … }.\(Reports.pipeline)
    """
}
