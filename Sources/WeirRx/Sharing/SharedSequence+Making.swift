#if canImport(Dispatch)
import Weir

// Each subscriber gets these values for itself, so there is nothing to share.
extension SharedSequence {
  /// Sends one value and finishes.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``.
  public static func just(_ element: Element) -> SharedSequence {
    SharedSequence(Just(element))
  }

  /// Finishes at once.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``.
  public static func empty() -> SharedSequence {
    SharedSequence(Empty())
  }

  /// Sends nothing and doesn't finish.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``.
  public static func never() -> SharedSequence {
    SharedSequence(Empty(completeImmediately: false))
  }

  /// Sends some values and finishes.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``.
  public static func of(_ elements: Element...) -> SharedSequence {
    from(elements)
  }

  /// Sends the elements of a sequence and finishes.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``.
  public static func from(_ elements: some Sequence<Element>) -> SharedSequence {
    SharedSequence(Publishers.Sequence(sequence: elements))
  }

  /// Sends the value of an optional, if there is one, and finishes.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``.
  public static func from(optional element: Element?) -> SharedSequence {
    SharedSequence(element.publisher)
  }

  /// Makes the sequence anew for each connection.
  ///
  /// - Demand, completion and cancellation: see ``SharedSequence``.
  /// - Threading: the closure runs on the main actor.
  public static func deferred(_ factory: @escaping () -> SharedSequence) -> SharedSequence {
    SharedSequence(sharing: Deferred { factory().source }, on: .current)
  }
}
#endif
