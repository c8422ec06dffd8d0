/// A completion without the type of its failure.
///
/// Performance: a machine's state and actions don't depend on that type. So they are compiled once for all failures,
/// and a debug build, where each access to a value of a dependent type looks metadata up, doesn't do that for each
/// event.
@usableFromInline
package typealias AnyCompletion = Subscribers.Completion<any Error>

extension Subscribers.Completion {
  /// This completion without the type of its failure.
  @inlinable
  package var erased: AnyCompletion {
    switch self {
    case .finished: .finished
    case .failure(let error): .failure(error)
    }
  }
}

extension AnyCompletion {
  /// This completion with the type of its failure, which the caller knows.
  @inlinable
  package func typed<Typed: Error>(as: Typed.Type = Typed.self) -> Subscribers.Completion<Typed> {
    switch self {
    case .finished: return .finished
    case .failure(let error):
      guard let error = error as? Typed else {
        fatalError("A failure of the type \(Typed.self) is expected, not \(error).")
      }
      return .failure(error)
    }
  }
}
