import Weir
import WeirTesting

/// The notation of a value: numbers and letters unchanged, a tuple of single characters as `1a`.
func token(of value: Any) -> String {
  let mirror = Mirror(reflecting: value)
  switch mirror.displayStyle {
  case .optional:
    return mirror.children.first.map { token(of: $0.value) } ?? "nil"
  case .tuple where !mirror.children.isEmpty:
    let parts = mirror.children.map { token(of: $0.value) }
    return parts.joined(separator: parts.allSatisfy { $0.count == 1 } ? "" : ", ")
  case .collection:
    return "[" + mirror.children.map { token(of: $0.value) }.joined(separator: ", ") + "]"
  default:
    return String(describing: value)
  }
}

/// The notation of a completion.
func mark<Failure>(of completion: Subscribers.Completion<Failure>) -> MarbleDiagram.Mark {
  if case .finished = completion { .finished } else { .failure }
}
