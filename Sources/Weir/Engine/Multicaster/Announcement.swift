/// A member whose subscriber is receiving its subscription, and the events that other threads send meanwhile.
///
/// The thread that subscribes doesn't own the hub's gate meanwhile. Otherwise it would deliver what other threads send
/// to members that have nothing to do with it, and a thread that only subscribes delivers nothing in Combine. It
/// delivers the events of this member alone, behind the subscription.
@usableFromInline
final class Announcement {
  @usableFromInline
  let member: AnyMulticastSubscription

  /// The thread that subscribes.
  private let thread = currentThread()

  // Safety: only the owner of the hub's gate accesses the two properties below. No access lasts while user code runs.
  // (`MulticasterTests`, `SubscribingThreadTests`)

  @exclusivity(unchecked)
  private var pending = CircularBuffer<Work>()

  /// The next one in the hub's list.
  ///
  /// Performance: a list needs no allocation, and there is rarely more than one.
  @usableFromInline
  @exclusivity(unchecked)
  fileprivate(set) var following: Announcement?

  @usableFromInline
  init(_ member: AnyMulticastSubscription) {
    self.member = member
  }

  /// Whether this thread subscribes, and nothing is pending, so that it delivers a nested event itself.
  @usableFromInline
  var isFree: Bool { thread == currentThread() && pending.isEmpty }

  @usableFromInline
  func enqueue(_ work: Work) {
    pending.append(work)
  }

  func next() -> Work? { pending.popFirst() }

  /// Removes the pending events, for their release.
  func takeAll() -> CircularBuffer<Work> {
    var taken = CircularBuffer<Work>()
    swap(&taken, &pending)
    return taken
  }
}

/// What the thread that has announced a member does next.
@usableFromInline
enum AnnouncementStep {
  case deliver(Work)
  /// The hub has completed.
  case complete
  /// The member was terminated: release it with what is pending.
  case release(CircularBuffer<Work>)
  /// The member is in the list.
  case joined
}

extension AnyMulticaster {
  /// Adds a member that is about to receive its subscription; returns `false` if the hub has completed.
  @usableFromInline
  final func announce(_ announcement: Announcement) -> Bool {
    if isComplete { return false }
    announcement.following = firstAnnouncement
    firstAnnouncement = announcement
    needsCleanup = true
    return true
  }

  /// Decides what follows the subscription, or an event behind it.
  @usableFromInline
  final func nextStep(_ announcement: Announcement, _ latest: () -> Work?) -> AnnouncementStep {
    let member = announcement.member
    if member.isTerminated {
      forget(announcement)
      return .release(announcement.takeAll())
    }
    if let next = announcement.next() { return .deliver(next) }
    if isComplete {
      forget(announcement)
      return .complete
    }
    if let latest = latest() {
      // What follows the latest value is kept here while that is delivered.
      if !isAnnounced(announcement) { _ = announce(announcement) }
      return .deliver(latest)
    }
    forget(announcement)
    add(member)
    return .joined
  }

  /// Delivers what is pending for a member, as the owner of the gate.
  @usableFromInline
  final func deliverPending(_ announcement: Announcement) {
    while let next = announcement.next() { next.run() }
    forget(announcement)
  }

  private final func isAnnounced(_ announcement: Announcement) -> Bool {
    var found = firstAnnouncement
    while let current = found, current !== announcement { found = current.following }
    return found != nil
  }

  private final func forget(_ announcement: Announcement) {
    if firstAnnouncement === announcement {
      firstAnnouncement = announcement.following
      return
    }
    var found = firstAnnouncement
    while let current = found {
      found = current.following
      if found === announcement { current.following = announcement.following }
    }
  }
}
