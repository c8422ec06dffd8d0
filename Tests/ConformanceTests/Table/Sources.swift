import Weir
import WeirTesting

extension Table {
  private static let emptyHandle = "its subscription is Subscriptions.empty, as in Combine, which can't be cancelled"

  static let sources: [Row] = [
    .source("Just") { Just(Value(1)) },
    .source("Empty") { Empty<Value, Never>() }
      .excusing("C10", because: emptyHandle),
    .source("Fail") { Fail<Value, UpstreamFailure>(error: UpstreamFailure()) }
      .excusing("C10", because: emptyHandle),
    .source("Deferred") { Deferred { ([1, 2, 3] as [Value]).lazy.publisher } },
    .source("Record") { Record<Value, Never>(output: [1, 2, 3], completion: .finished) },
    .source("Sequence", "of an array") { ([1, 2, 3] as [Value]).publisher },
    .source("Sequence", "lazy") { AnyPublisher((1...300).lazy.map { Value($0) }.publisher) },
    .source("Optional.Publisher") { Optional(Value(1)).publisher },
    .source("Optional.Publisher", "nil") { Value?.none.publisher }
      .excusing("C10", because: emptyHandle),
    .source("Result.Publisher") { Result<Value, UpstreamFailure>.success(1).publisher },
    .source("Result.Publisher", "failure") { Result<Value, UpstreamFailure>.failure(UpstreamFailure()).publisher }
      .excusing("C10", because: emptyHandle),
    .source("Future") { Future<Value, Never> { $0(.success(1)) } },
  ]
}
