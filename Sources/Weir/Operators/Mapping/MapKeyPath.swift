extension Publisher {
  /// Sends one part of each value, the one at a key path.
  ///
  /// - Demand: unchanged.
  /// - Completion and cancellation: unchanged.
  /// - Threading: runs where the upstream delivers.
  @inlinable
  public func map<T>(_ keyPath: KeyPath<Output, T>) -> Publishers.MapKeyPath<Self, T> {
    Publishers.MapKeyPath(upstream: self, keyPath)
  }

  /// Sends two parts of each value as a tuple.
  ///
  ///     source               -a   -b   -|
  ///     .map(\.name, \.age)  -'A3'-'B7'-|
  ///
  /// - Demand: unchanged.
  /// - Completion and cancellation: unchanged.
  /// - Threading: runs where the upstream delivers.
  @inlinable
  public func map<T0, T1>(
    _ keyPath0: KeyPath<Output, T0>, _ keyPath1: KeyPath<Output, T1>
  ) -> Publishers.MapKeyPath2<Self, T0, T1> {
    Publishers.MapKeyPath2(upstream: self, keyPath0, keyPath1)
  }

  /// Sends three parts of each value as a tuple.
  ///
  /// - Demand: unchanged.
  /// - Completion and cancellation: unchanged.
  /// - Threading: runs where the upstream delivers.
  @inlinable
  public func map<T0, T1, T2>(
    _ keyPath0: KeyPath<Output, T0>, _ keyPath1: KeyPath<Output, T1>, _ keyPath2: KeyPath<Output, T2>
  ) -> Publishers.MapKeyPath3<Self, T0, T1, T2> {
    Publishers.MapKeyPath3(upstream: self, keyPath0, keyPath1, keyPath2)
  }
}

extension Publishers {
  /// A publisher of one part of each of the upstream's values.
  @frozen
  public struct MapKeyPath<Upstream: Publisher, Output>: Publisher {
    /// The failure is the upstream's.
    public typealias Failure = Upstream.Failure

    /// The publisher whose values' parts these are.
    public let upstream: Upstream

    /// Where a part of each value is found.
    public let keyPath: KeyPath<Upstream.Output, Output>

    @usableFromInline
    package let place = Place()

    @inlinable
    init(upstream: Upstream, _ keyPath: KeyPath<Upstream.Output, Output>) {
      self.upstream = upstream
      self.keyPath = keyPath
    }

    /// Attaches a subscriber.
    @inlinable
    @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Upstream.Failure {
      upstream.attach(PassThrough(MapKeyPathWork(keyPath), downstream: subscriber))
    }
  }
}

@usableFromInline
@frozen
struct MapKeyPathWork<Input, Output, UpstreamFailure: Error>: PassThroughOperation {
  @usableFromInline
  typealias Failure = UpstreamFailure

  @usableFromInline
  let keyPath: KeyPath<Input, Output>

  @inlinable
  init(_ keyPath: KeyPath<Input, Output>) {
    self.keyPath = keyPath
  }

  @usableFromInline
  static var name: StaticString { "ValueForKey" }

  @usableFromInline
  func reflected(downstream: Any) -> [Mirror.Child] { [("keyPath", keyPath)] }

  @inlinable
  @inline(__always)
  func receive<D: Subscriber>(_ input: Input, for downstream: D) -> Subscribers.Demand
  where D.Input == Output {
    downstream.receive(input[keyPath: keyPath])
  }
}

extension Publishers {
  /// A publisher of two parts of each of the upstream's values.
  @frozen
  public struct MapKeyPath2<Upstream: Publisher, Output0, Output1>: Publisher {
    /// The parts.
    public typealias Output = (Output0, Output1)

    /// The failure is the upstream's.
    public typealias Failure = Upstream.Failure

    /// The publisher whose values' parts these are.
    public let upstream: Upstream

    /// Where one part of each value is found.
    public let keyPath0: KeyPath<Upstream.Output, Output0>

    /// Where one part of each value is found.
    public let keyPath1: KeyPath<Upstream.Output, Output1>

    @usableFromInline
    package let place = Place()

    @inlinable
    init(
      upstream: Upstream, _ keyPath0: KeyPath<Upstream.Output, Output0>, _ keyPath1: KeyPath<Upstream.Output, Output1>
    ) {
      self.upstream = upstream
      self.keyPath0 = keyPath0
      self.keyPath1 = keyPath1
    }

    /// Attaches a subscriber.
    @inlinable
    @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == (Output0, Output1), S.Failure == Upstream.Failure {
      let paths = KeyPaths2<_, _, _>(keyPath0, keyPath1)
      let work = ValueForKeysWork<_, Failure>(paths)
      upstream.attach(PassThrough(work, downstream: subscriber))
    }
  }
}

extension Publishers {
  /// A publisher of three parts of each of the upstream's values.
  @frozen
  public struct MapKeyPath3<Upstream: Publisher, Output0, Output1, Output2>: Publisher {
    /// The parts.
    public typealias Output = (Output0, Output1, Output2)

    /// The failure is the upstream's.
    public typealias Failure = Upstream.Failure

    /// The publisher whose values' parts these are.
    public let upstream: Upstream

    /// Where one part of each value is found.
    public let keyPath0: KeyPath<Upstream.Output, Output0>

    /// Where one part of each value is found.
    public let keyPath1: KeyPath<Upstream.Output, Output1>

    /// Where one part of each value is found.
    public let keyPath2: KeyPath<Upstream.Output, Output2>

    @usableFromInline
    package let place = Place()

    @inlinable
    init(
      upstream: Upstream, _ keyPath0: KeyPath<Upstream.Output, Output0>, _ keyPath1: KeyPath<Upstream.Output, Output1>,
      _ keyPath2: KeyPath<Upstream.Output, Output2>
    ) {
      self.upstream = upstream
      self.keyPath0 = keyPath0
      self.keyPath1 = keyPath1
      self.keyPath2 = keyPath2
    }

    /// Attaches a subscriber.
    @inlinable
    @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == (Output0, Output1, Output2), S.Failure == Upstream.Failure {
      let paths = KeyPaths3<_, _, _, _>(keyPath0, keyPath1, keyPath2)
      let work = ValueForKeysWork<_, Failure>(paths)
      upstream.attach(PassThrough(work, downstream: subscriber))
    }
  }
}

@usableFromInline
@frozen
struct ValueForKeysWork<Paths: KeyPathGroup, UpstreamFailure: Error>: PassThroughOperation {
  @usableFromInline
  typealias Input = Paths.Root

  @usableFromInline
  typealias Output = Paths.Parts

  @usableFromInline
  typealias Failure = UpstreamFailure

  @usableFromInline
  let paths: Paths

  @inlinable
  init(_ paths: Paths) {
    self.paths = paths
  }

  @usableFromInline
  static var name: StaticString { "ValueForKeys" }

  @usableFromInline
  func reflected(downstream: Any) -> [Mirror.Child] {
    paths.all.enumerated().map { index, path in ("keyPath\(index)", path) }
  }

  @inlinable
  @inline(__always)
  func receive<D: Subscriber>(_ input: Input, for downstream: D) -> Subscribers.Demand where D.Input == Output {
    downstream.receive(paths.parts(of: input))
  }
}

/// Where several parts of a value are found.
@usableFromInline
protocol KeyPathGroup<Root, Parts> {
  associatedtype Root
  associatedtype Parts

  var all: [AnyKeyPath] { get }

  func parts(of root: Root) -> Parts
}

@usableFromInline
@frozen
struct KeyPaths2<Root, Part0, Part1>: KeyPathGroup {
  @usableFromInline
  let path0: KeyPath<Root, Part0>

  @usableFromInline
  let path1: KeyPath<Root, Part1>

  @inlinable
  init(_ path0: KeyPath<Root, Part0>, _ path1: KeyPath<Root, Part1>) {
    self.path0 = path0
    self.path1 = path1
  }

  @usableFromInline
  var all: [AnyKeyPath] { [path0, path1] }

  @inlinable
  @inline(__always)
  func parts(of root: Root) -> (Part0, Part1) { (root[keyPath: path0], root[keyPath: path1]) }
}

@usableFromInline
@frozen
struct KeyPaths3<Root, Part0, Part1, Part2>: KeyPathGroup {
  @usableFromInline
  let path0: KeyPath<Root, Part0>

  @usableFromInline
  let path1: KeyPath<Root, Part1>

  @usableFromInline
  let path2: KeyPath<Root, Part2>

  @inlinable
  init(_ path0: KeyPath<Root, Part0>, _ path1: KeyPath<Root, Part1>, _ path2: KeyPath<Root, Part2>) {
    self.path0 = path0
    self.path1 = path1
    self.path2 = path2
  }

  @usableFromInline
  var all: [AnyKeyPath] { [path0, path1, path2] }

  @inlinable
  @inline(__always)
  func parts(of root: Root) -> (Part0, Part1, Part2) {
    (root[keyPath: path0], root[keyPath: path1], root[keyPath: path2])
  }
}
