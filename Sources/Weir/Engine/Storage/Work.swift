/// A closure to be run later.
///
/// Performance: a collection or a lock of closures wraps each in another, newly allocated one when it is stored, and
/// again when it is read. A structure is stored as it is.
@usableFromInline
struct Work {
  @usableFromInline
  let run: () -> Void

  @usableFromInline
  init(run: @escaping () -> Void) {
    self.run = run
  }
}

/// An event to be handled later, which then returns the demand that it brings.
struct WaitingEvent {
  let handle: () -> Subscribers.Demand
}
