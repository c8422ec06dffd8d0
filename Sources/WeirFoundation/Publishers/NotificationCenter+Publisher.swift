public import Foundation
public import Weir

extension NotificationCenter {
  /// The notifications of a name as a publisher.
  ///
  ///     post                           -a-b-c-
  ///     demand                         2
  ///     center.publisher(for: .saved)  -a-b---
  ///
  ///     center.publisher(for: .changed).sink { print($0.name) }.store(in: &bag)
  ///
  /// - Demand: a notification for which there is no demand at its moment is dropped, as in Combine; `buffer` keeps it.
  /// - Completion and cancellation: never finishes. The centre is observed from the subscription until it is cancelled, or
  ///   let go of.
  /// - Threading: notifications come where they are posted. One that is posted from inside a delivery comes nested in it;
  ///   one that another thread posts meanwhile is delivered by the thread that is delivering.
  public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
    Publisher(center: self, name: name, object: object)
  }

  /// A publisher of a notification centre's notifications.
  public struct Publisher: _DirectPublisher {
    /// The notification, each time one is posted.
    public typealias Output = Notification

    /// It can't fail.
    public typealias Failure = Never

    /// The centre that is observed.
    public let center: NotificationCenter

    /// The name of the notifications.
    public let name: Notification.Name

    /// Whose notifications are published; everybody's if there is none.
    public let object: AnyObject?

    @usableFromInline
    package let place = Place()

    /// Makes a publisher of notifications; the centre's method is the usual way.
    public init(center: NotificationCenter, name: Notification.Name, object: AnyObject? = nil) {
      self.center = center
      self.name = name
      self.object = object
    }

    /// Attaches a downstream.
    public func _attach(_ downstream: Downstream<Notification, Never>) {
      // Safety: only the owner of its gate accesses a subject's state. A notification may reach another thread, as it may
      // where the center calls a block. (`NotificationCenterTests`)
      nonisolated(unsafe) let subject = PassthroughSubject<Notification, Never>()
      subject.attach(
        downstream.replacingSubscription { [center, name, object] member in
          let token = center.addObserver(forName: name, object: object, queue: nil) { subject.send($0) }
          return SourceSubscription("NotificationCenter Observer", to: member) {
            [weak center, weak object] in
            [("center", center as Any), ("name", name), ("object", object as Any)]
          } cancelSource: {
            center.removeObserver(token)
          }
        })
    }
  }
}

extension NotificationCenter.Publisher: Equatable {
  /// Tells whether both publish the same notifications: of one centre, one name and one object.
  public static func == (lhs: NotificationCenter.Publisher, rhs: NotificationCenter.Publisher) -> Bool {
    lhs.center === rhs.center && lhs.name == rhs.name && lhs.object === rhs.object
  }
}

extension NotificationCenter.Publisher: Assembled {}
