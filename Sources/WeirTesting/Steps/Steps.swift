public import Weir

// MARK: Actions of the subscriber

/// A step of ``verify(_:on:fileID:line:_:)``: requests this many values.
public func request<Output, Failure: Error>(
  _ count: Int, fileID: StaticString = #fileID, line: UInt = #line
) -> VerificationStep<Output, Failure> {
  request(.max(count), fileID: fileID, line: line)
}

/// A step of ``verify(_:on:fileID:line:_:)``: requests demand.
public func request<Output, Failure: Error>(
  _ demand: Subscribers.Demand, fileID: StaticString = #fileID, line: UInt = #line
) -> VerificationStep<Output, Failure> {
  VerificationStep(name: "request(\(demand.amount))", fileID: fileID, line: line) { $0.subscriber.request(demand) }
}

/// A step of ``verify(_:on:fileID:line:_:)``: cancels the subscription.
public func cancel<Output, Failure: Error>(
  fileID: StaticString = #fileID, line: UInt = #line
) -> VerificationStep<Output, Failure> {
  VerificationStep(name: "cancel()", fileID: fileID, line: line) { $0.subscriber.cancel() }
}

/// A step of ``verify(_:on:fileID:line:_:)``: advances the time; the next steps expect the events.
public func advance<Output, Failure: Error>(
  by stride: VirtualTime.Stride, fileID: StaticString = #fileID, line: UInt = #line
) -> VerificationStep<Output, Failure> {
  VerificationStep(name: "advance(by: \(stride))", fileID: fileID, line: line) { verification in
    try verification.advance(by: stride)
  }
}

/// A step of ``verify(_:on:fileID:line:_:)``: runs a closure, for example to send into a subject.
public func then<Output, Failure: Error>(
  fileID: StaticString = #fileID, line: UInt = #line, _ body: @escaping () throws -> Void
) -> VerificationStep<Output, Failure> {
  VerificationStep(name: "then", fileID: fileID, line: line) { _ in try body() }
}

// MARK: Expected events

/// A step of ``verify(_:on:fileID:line:_:)``: the next event is the subscription; this step may be omitted.
public func subscription<Output, Failure: Error>(
  fileID: StaticString = #fileID, line: UInt = #line
) -> VerificationStep<Output, Failure> {
  VerificationStep(name: "subscription()", fileID: fileID, line: line, speaksOfSubscription: true) { verification in
    try verification.expect("a subscription") { if case .subscription = $0 { true } else { false } }
  }
}

/// A step of ``verify(_:on:fileID:line:_:)``: these values are the next events.
public func next<Output: Equatable, Failure: Error>(
  _ values: Output..., fileID: StaticString = #fileID, line: UInt = #line
) -> VerificationStep<Output, Failure> {
  let name = "next(\(values.map { String(reflecting: $0) }.joined(separator: ", ")))"
  return VerificationStep(name: name, fileID: fileID, line: line) { verification in
    for value in values {
      try verification.expect("value(\(String(reflecting: value)))") { event in
        if case .value(let other) = event { other == value } else { false }
      }
    }
  }
}

/// A step of ``verify(_:on:fileID:line:_:)``: the next event is a value that meets a condition.
public func nextMatching<Output, Failure: Error>(
  fileID: StaticString = #fileID, line: UInt = #line, _ condition: @escaping (Output) -> Bool
) -> VerificationStep<Output, Failure> {
  VerificationStep(name: "nextMatching", fileID: fileID, line: line) { verification in
    try verification.expect("a value that meets the condition") { event in
      if case .value(let value) = event { condition(value) } else { false }
    }
  }
}

/// A step of ``verify(_:on:fileID:line:_:)``: no unexpected event has arrived.
public func noEvent<Output, Failure: Error>(
  fileID: StaticString = #fileID, line: UInt = #line
) -> VerificationStep<Output, Failure> {
  VerificationStep(name: "noEvent()", fileID: fileID, line: line) { try $0.expectNothing(during: "") }
}

/// A step of ``verify(_:on:fileID:line:_:)``: advances the time, and no event arrives.
public func noEvent<Output, Failure: Error>(
  for stride: VirtualTime.Stride, fileID: StaticString = #fileID, line: UInt = #line
) -> VerificationStep<Output, Failure> {
  VerificationStep(name: "noEvent(for: \(stride))", fileID: fileID, line: line) { verification in
    try verification.advance(by: stride)
    try verification.expectNothing(during: " for \(stride)")
  }
}

/// A step of ``verify(_:on:fileID:line:_:)``: the next event is a finish.
public func finished<Output, Failure: Error>(
  fileID: StaticString = #fileID, line: UInt = #line
) -> VerificationStep<Output, Failure> {
  VerificationStep(name: "finished()", fileID: fileID, line: line) { verification in
    try verification.expect("finished") { if case .completion(.finished) = $0 { true } else { false } }
  }
}

/// A step of ``verify(_:on:fileID:line:_:)``: the next event is any failure.
public func failure<Output, Failure: Error>(
  fileID: StaticString = #fileID, line: UInt = #line
) -> VerificationStep<Output, Failure> {
  VerificationStep(name: "failure()", fileID: fileID, line: line) { verification in
    try verification.expect("a failure") { if case .completion(.failure) = $0 { true } else { false } }
  }
}

/// A step of ``verify(_:on:fileID:line:_:)``: the next event is this failure.
public func failure<Output, Failure: Error & Equatable>(
  _ error: Failure, fileID: StaticString = #fileID, line: UInt = #line
) -> VerificationStep<Output, Failure> {
  VerificationStep(name: "failure(\(error))", fileID: fileID, line: line) { verification in
    try verification.expect("failure(\(error))") { event in
      if case .completion(.failure(let other)) = event { other == error } else { false }
    }
  }
}

extension Verification {
  func advance(by stride: VirtualTime.Stride) throws {
    guard let scheduler else {
      throw Mismatch(message: "the step requires a scheduler; pass it to verify: verify(publisher, on: scheduler)")
    }
    scheduler.advance(by: stride)
  }
}
