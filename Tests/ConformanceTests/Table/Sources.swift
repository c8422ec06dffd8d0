import Weir
import WeirTesting

extension Table {
  private static let emptyHandle = "its subscription is Subscriptions.empty, as in Combine, which can't be cancelled"

  static let sources: [Row] = [
    .source("Just") { Just(1) },
    .source("Empty") { Empty<Int, Never>() }
      .excusing("C10", because: emptyHandle),
    .source("Fail") { Fail<Int, UpstreamFailure>(error: UpstreamFailure()) }
      .excusing("C10", because: emptyHandle),
    .source("Deferred") { Deferred { [1, 2, 3].lazy.publisher } },
    .source("Record") { Record<Int, Never>(output: [1, 2, 3], completion: .finished) },
    .source("Sequence", "of an array") { [1, 2, 3].publisher },
    .source("Sequence", "lazy") { AnyPublisher((1...300).lazy.publisher) },
    .source("Optional.Publisher") { Optional(1).publisher },
    .source("Optional.Publisher", "nil") { Int?.none.publisher }
      .excusing("C10", because: emptyHandle),
    .source("Result.Publisher") { Result<Int, UpstreamFailure>.success(1).publisher },
    .source("Result.Publisher", "failure") { Result<Int, UpstreamFailure>.failure(UpstreamFailure()).publisher }
      .excusing("C10", because: emptyHandle),
    .source("Future") { Future<Int, Never> { $0(.success(1)) } },
  ]
}
