/// What a sink adds to: on one thread at a time, and read when everything is done.
final class Total: @unchecked Sendable {
  var sum = 0
}
