/// An object of two parts that lie behind it: a core, whose type is known to whoever uses the object, and a content, whose
/// type only the functions know that were formed where it was put there.
///
/// A generic class that kept the content in a property would look up its metadata whenever an object goes, and run
/// unspecialised when it is called through its table of methods. Here the core keeps a function formed where the type of
/// the content is known; that function also releases both parts when the object goes.
@usableFromInline
class Tailed: ManagedBuffer<Void, UInt64> {
  @inlinable
  @inline(__always)
  final class func make<Core: ~Copyable, Content: ~Copyable>(
    _ core: consuming Core, content: consuming Content
  ) -> Self {
    let slack = max(0, MemoryLayout<Content>.alignment - unit)
    let size = size(of: Core.self) + slack + MemoryLayout<Content>.size
    let object = unsafeDowncast(create(minimumCapacity: (size + unit - 1) / unit) { _ in }, to: Self.self)
    object.core(as: Core.self).initialize(to: core)
    object.content(as: Content.self, behind: Core.self).initialize(to: content)
    return object
  }

  @inlinable
  @inline(__always)
  final func core<Core: ~Copyable>(as type: Core.Type) -> UnsafeMutablePointer<Core> {
    tail.assumingMemoryBound(to: type)
  }

  @inlinable
  @inline(__always)
  final func content<Core: ~Copyable, Content: ~Copyable>(
    as type: Content.Type, behind core: Core.Type
  ) -> UnsafeMutablePointer<Content> {
    let start = tail + Self.size(of: core)
    let alignment = MemoryLayout<Content>.alignment
    return (alignment > Self.unit ? start.alignedUp(toMultipleOf: alignment) : start).assumingMemoryBound(to: type)
  }

  @inlinable
  @inline(__always)
  final var tail: UnsafeMutableRawPointer {
    withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0) }
  }

  /// What the tail consists of, and is aligned to; no core needs more.
  @inlinable
  @inline(__always)
  static var unit: Int { MemoryLayout<UInt64>.size }

  /// The size of a core, in whole units.
  @inlinable
  @inline(__always)
  static func size<Core: ~Copyable>(of core: Core.Type) -> Int {
    (MemoryLayout<Core>.size + unit - 1) / unit * unit
  }
}
