public import Weir

#if canImport(Dispatch)
extension MainScheduler {
  /// What Rx calls the shared scheduler of the main actor.
  public static var instance: MainScheduler { shared }
}
#endif

/// What Rx calls a subject that keeps nothing.
public typealias PublishSubject = PassthroughSubject

/// What Rx calls a subject that keeps the latest value.
public typealias BehaviorSubject = CurrentValueSubject

/// What Rx calls a relay that keeps nothing.
public typealias PublishRelay = PassthroughRelay

/// What Rx calls a relay that keeps the latest value.
public typealias BehaviorRelay = CurrentValueRelay

/// What Rx calls an owner of cancellables.
public typealias DisposeBag = CancelBag
