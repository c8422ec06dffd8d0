public import Weir

extension MainScheduler {
  /// RxSwift's name of the shared scheduler of the main actor.
  public static var instance: MainScheduler { shared }
}

/// RxSwift's name of a subject without stored values.
///
/// As in RxSwift, it has one type parameter and can fail with any error.
public typealias PublishSubject<Element> = PassthroughSubject<Element, any Error>

/// RxSwift's name of a subject that stores the latest value.
///
/// As in RxSwift, it has one type parameter and can fail with any error.
public typealias BehaviorSubject<Element> = CurrentValueSubject<Element, any Error>

/// RxSwift's name of a relay without stored values.
public typealias PublishRelay = PassthroughRelay

/// RxSwift's name of a relay that stores the latest value.
public typealias BehaviorRelay = CurrentValueRelay

/// RxSwift's name of a collection of cancellables.
public typealias DisposeBag = CancelBag

extension CurrentValueSubject {
  /// Creates a subject with an initial value, as RxSwift's initializer does.
  public convenience init(value: Output) {
    self.init(value)
  }
}

extension CurrentValueRelay {
  /// Creates a relay with an initial value, as RxSwift's initializer does.
  public convenience init(value: Output) {
    self.init(value)
  }
}

extension ReplaySubject {
  /// Creates a subject that replays `bufferSize` values, as RxSwift's function does.
  ///
  /// - Parameter bufferSize: The number of values, not negative.
  /// - Returns: The subject.
  public static func create(bufferSize: Int) -> ReplaySubject<Output, Failure> {
    ReplaySubject(bufferSize: bufferSize)
  }

  /// Creates a subject that replays all values, as RxSwift's function does.
  public static func createUnbounded() -> ReplaySubject<Output, Failure> {
    ReplaySubject()
  }
}

extension ReplayRelay {
  /// Creates a relay that replays `bufferSize` values, as RxSwift's function does.
  ///
  /// - Parameter bufferSize: The number of values, not negative.
  /// - Returns: The relay.
  public static func create(bufferSize: Int) -> ReplayRelay<Output> {
    ReplayRelay(bufferSize: bufferSize)
  }

  /// Creates a relay that replays all values, as RxSwift's function does.
  public static func createUnbound() -> ReplayRelay<Output> {
    ReplayRelay()
  }
}
