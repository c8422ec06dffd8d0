public import Weir

#if canImport(Dispatch)
extension MainScheduler {
  /// What Rx calls the shared scheduler of the main actor.
  public static var instance: MainScheduler { shared }
}
#endif

/// Rx's name of a subject that keeps no values: as in Rx, it has one type parameter and may fail with any error.
public typealias PublishSubject<Element> = PassthroughSubject<Element, any Error>

/// Rx's name of a subject that keeps the latest value: as in Rx, it has one type parameter and may fail with any error.
public typealias BehaviorSubject<Element> = CurrentValueSubject<Element, any Error>

/// What Rx calls a relay that keeps nothing.
public typealias PublishRelay = PassthroughRelay

/// What Rx calls a relay that keeps the latest value.
public typealias BehaviorRelay = CurrentValueRelay

/// What Rx calls an owner of cancellables.
public typealias DisposeBag = CancelBag

extension CurrentValueSubject {
  /// Makes a subject with a first value: the initializer that Rx has.
  public convenience init(value: Output) {
    self.init(value)
  }
}

extension CurrentValueRelay {
  /// Makes a relay with a first value: the initializer that Rx has.
  public convenience init(value: Output) {
    self.init(value)
  }
}

extension ReplaySubject {
  /// Makes a subject that keeps `bufferSize` values: the function that Rx has.
  ///
  /// - Parameter bufferSize: The number of values, not negative.
  /// - Returns: The subject.
  public static func create(bufferSize: Int) -> ReplaySubject<Output, Failure> {
    ReplaySubject(bufferSize: bufferSize)
  }

  /// Makes a subject that keeps all values: the function that Rx has.
  public static func createUnbounded() -> ReplaySubject<Output, Failure> {
    ReplaySubject()
  }
}

extension ReplayRelay {
  /// Makes a relay that keeps `bufferSize` values: the function that Rx has.
  ///
  /// - Parameter bufferSize: The number of values, not negative.
  /// - Returns: The relay.
  public static func create(bufferSize: Int) -> ReplayRelay<Output> {
    ReplayRelay(bufferSize: bufferSize)
  }

  /// Makes a relay that keeps all values: the function that Rx has.
  public static func createUnbound() -> ReplayRelay<Output> {
    ReplayRelay()
  }
}
