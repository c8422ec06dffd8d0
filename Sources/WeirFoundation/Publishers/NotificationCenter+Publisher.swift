#if !os(WASI)  // where the method has no queue
public import Foundation
public import Weir

extension NotificationCenter {
  /// A publisher of the notifications with a name.
  ///
  ///     post                           -a-b-c-
  ///     demand                         2
  ///     center.publisher(for: .saved)  -a-b---
  ///
  ///     center.publisher(for: .changed).sink { print($0.name) }.store(in: &bag)
  ///
  /// - Demand: a notification that is posted without demand is dropped, as in Combine; `buffer` buffers it.
  /// - Completion and cancellation: never finishes. The center is observed from the subscription until it is cancelled
  ///   or released. The object is retained for that long, as in Combine.
  /// - Threading: notifications are delivered where they are posted. A re-entrant notification is delivered nested. A
  ///   notification that another thread posts during a delivery is delivered by the delivering thread.
  public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
    Publisher(center: self, name: name, object: object)
  }

  /// A publisher of a notification center's notifications.
  public struct Publisher: _DirectPublisher {
    /// The type of a notification.
    public typealias Output = Notification

    /// It can't fail.
    public typealias Failure = Never

    /// The center that is observed.
    public let center: NotificationCenter

    /// The name of the notifications.
    public let name: Notification.Name

    /// The object whose notifications are published, or `nil` for all objects.
    public let object: AnyObject?

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates a publisher of notifications; the center's method is the usual way to create it.
    public init(center: NotificationCenter, name: Notification.Name, object: AnyObject? = nil) {
      self.center = center
      self.name = name
      self.object = object
    }

    /// Attaches a downstream.
    public func _attach(_ downstream: consuming Downstream<Notification, Never>) {
      // Safety: only the owner of its gate accesses a subject's state. A notification may reach another thread, as it
      // may where the center calls a block. (`NotificationCenterTests`)
      nonisolated(unsafe) let subject = PassthroughSubject<Notification, Never>()
      subject.attach(
        downstream.replacingSubscription { [center, name, object] member in
          let token = center.addObserver(forName: name, object: object, queue: nil) { subject.send($0) }
          return SourceSubscription("NotificationCenter Observer", to: member) {
            [weak center, weak object] in
            [("center", center as Any), ("name", name), ("object", object as Any)]
          } cancelSource: {
            center.removeObserver(token)
            // The center doesn't retain it: another object at its address would match.
            withExtendedLifetime(object) {}
          }
        })
    }
  }
}

extension NotificationCenter.Publisher: Equatable {
  /// Whether both publish the same notifications: those of one center, one name and one object.
  public static func == (lhs: NotificationCenter.Publisher, rhs: NotificationCenter.Publisher) -> Bool {
    lhs.center === rhs.center && lhs.name == rhs.name && lhs.object === rhs.object
  }
}

extension NotificationCenter.Publisher: AssemblyTraced {}
#endif
