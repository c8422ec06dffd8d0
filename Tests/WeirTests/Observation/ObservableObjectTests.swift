import Testing

@testable import TestSupport
@testable import Weir

@Suite("ObservableObject")
struct ObservableObjectTests {
  class Base: ObservableObject {
    @Published var a = 0
    var plain = 0
    let constant = Published(initialValue: 0)
  }

  final class Derived: Base {
    @Published var b = 0
    var token: Token?
  }

  final class Unpublished: ObservableObject {
    var plain = 0
  }

  struct Weakly<Object: AnyObject> {
    weak var object: Object?
  }

  @Test("sends before each change of the published properties of the class and its superclasses")
  func sends() {
    let object = Derived()
    let recorder = object.objectWillChange.map { [unowned object] () -> [Int] in [object.a, object.b] }
      .record(demanding: .unlimited)
    object.a = 1
    object.b = 2
    object.plain = 3
    object.a = 4
    #expect(recorder.values == [[0, 0], [1, 0], [1, 2]])
  }

  @Test("sends before the property's own publisher does")
  func order() {
    let object = Base()
    var order: [String] = []
    let cancellables = [
      object.$a.dropFirst().sink { order.append("a = \($0)") },
      object.objectWillChange.sink { order.append("change") },
    ]
    object.a = 1
    #expect(order == ["change", "a = 1"])
    withExtendedLifetime(cancellables) {}
  }

  @Test("returns the same publisher at every access, and one for each object")
  func identity() {
    let (a, b, c, d) = (Derived(), Derived(), Unpublished(), Unpublished())
    let publishers = [a.objectWillChange, b.objectWillChange, c.objectWillChange, d.objectWillChange]
    #expect(Set(publishers.map { ObjectIdentifier($0) }).count == 4)
    for _ in 0..<100 {
      let again = [a.objectWillChange, b.objectWillChange, c.objectWillChange, d.objectWillChange]
      #expect(zip(publishers, again).allSatisfy { $0 === $1 })
    }
  }

  @Test("returns the same publisher even if it is not retained meanwhile")
  func keepsItself() {
    let (a, b) = (Derived(), Unpublished())
    let ofA = Weakly(object: a.objectWillChange)
    let ofB = Weakly(object: b.objectWillChange)
    #expect(ofA.object != nil)
    #expect(ofA.object === a.objectWillChange)
    #expect(ofB.object != nil)
    #expect(ofB.object === b.objectWillChange)
    withExtendedLifetime((a, b)) {}
  }

  @Test("a class without published properties sends manually")
  func unpublished() {
    let object = Unpublished()
    let recorder = object.objectWillChange.map { () -> Int in object.plain }.record(demanding: .unlimited)
    object.objectWillChange.send()
    object.plain = 1
    object.objectWillChange.send()
    #expect(recorder.values == [0, 1])
  }

  @Test("doesn't change a class's own publisher")
  func ownPublisher() {
    final class Own: ObservableObject {
      let objectWillChange = PassthroughSubject<Int, Never>()
      @Published var a = 0
    }
    let object = Own()
    let recorder = object.objectWillChange.record(demanding: .unlimited)
    object.a = 1
    object.objectWillChange.send(7)
    #expect(recorder.values == [7])
  }

  @Test("an object with its own mirror announces its changes, whatever the mirror shows")
  func customMirror() {
    class Base: ObservableObject, CustomReflectable {
      @Published var inherited = 0
      var customMirror: Mirror { Mirror(self, children: ["publisher": objectWillChange]) }
    }
    final class Mirrored: Base {
      @Published var number = 0
    }
    let (object, other) = (Mirrored(), Mirrored())
    let signals = object.objectWillChange.map { [object.number, object.inherited] }.record(demanding: .unlimited)
    other.number = 9
    (object.number, object.inherited, object.number) = (1, 2, 3)
    #expect(signals.values == [[0, 0], [1, 0], [1, 2]])
    let numbers = PassthroughSubject<Int, Never>()
    numbers.assign(to: &object.$number)
    numbers.send(4)
    #expect(signals.values.last == [3, 2])
  }

  @Test("an object with its own mirror leaves no storage")
  func releasesMirrored() {
    final class Mirrored: ObservableObject, CustomReflectable {
      @Published var number = 0
      @Published var token: Token?
      var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
    }
    let isGone = isReleased { token in
      let object = Mirrored()
      let signals = object.objectWillChange.map { 1 }.record(demanding: .unlimited)
      (object.number, object.token) = (1, token)
      #expect(signals.values == [1, 1])
    }
    #expect(isGone)
  }

  @Test("an object in its deinit still has the publisher that it had")
  func inDeinit() {
    // In its own table. Other tests sweep the shared table, and a later access then returns another publisher.
    final class Unpublished: ObservableObject {
      let table: ObservedObjects
      var atTheEnd: ((ObservableObjectPublisher) -> Void)?
      var willChange: ObservableObjectPublisher { table.publisher(of: self) }
      init(_ table: ObservedObjects) { self.table = table }
      deinit { atTheEnd?(willChange) }
    }
    let table = ObservedObjects()
    for isAskedBefore in [true, false] {
      var last: ObservableObjectPublisher?
      var known: ObservableObjectPublisher?
      var recorder: Recorder<Int, Never>?
      do {
        let object = Unpublished(table)
        object.atTheEnd = {
          last = $0
          $0.send()
        }
        if isAskedBefore {
          known = object.willChange
          recorder = object.willChange.map { 1 }.record(demanding: .unlimited)
        }
      }
      #expect(last != nil)
      #expect((last === known) == isAskedBefore)
      #expect(recorder?.values == (isAskedBefore ? [1] : nil))
    }
  }

  @Test("doesn't read an object at a first access in its deinit, when parts may be deallocated")
  func firstInDeinit() {
    class Announcing: ObservableObject {
      let table: ObservedObjects
      init(_ table: ObservedObjects) { self.table = table }
      deinit { table.publisher(of: self).send() }
    }
    final class Holding: Announcing {
      @Published var things = [LastWords(), LastWords()]
    }
    let table = ObservedObjects()
    for _ in 0..<100 { #expect(Holding(table).things.count == 2) }
    #expect(table.count == 0)
  }

  // MARK: Remaining storage

  @Test("an object with published properties leaves no storage")
  func releases() {
    let table = ObservedObjects()
    weak var publisher: ObservableObjectPublisher?
    let isGone = isReleased { token in
      let object = Derived()
      object.token = token
      publisher = table.publisher(of: object)
      // Only the publisher retains this one and the subscription.
      let subscriber = AnySubscriber<Void, Never>(
        receiveSubscription: { $0.request(.unlimited) },
        receiveValue: { [token] _ in withExtendedLifetime(token) { .none } })
      table.publisher(of: object).subscribe(subscriber)
      object.a = 1
      #expect(table.count == 1)
    }
    #expect(isGone)
    #expect(publisher == nil)
    #expect(table.count == 0)
  }

  @Test("objects without them leave at most twice their live number, and a handful")
  func sweeps() {
    let table = ObservedObjects()
    let live = LiveCount()
    final class Counted: ObservableObject {
      let live: LiveCount
      init(_ live: LiveCount) {
        self.live = live
        live.add(1)
      }
      deinit { live.add(-1) }
    }
    var kept: [(Counted, ObservableObjectPublisher)] = []
    for index in 0..<10_000 {
      let object = Counted(live)
      let publisher = table.publisher(of: object)
      if index % 100 == 0 { kept.append((object, publisher)) }
      #expect(table.count <= 2 * kept.count + 17)
    }
    #expect(live.value == 100)
    for (object, publisher) in kept { #expect(table.publisher(of: object) === publisher) }
    kept = []
    #expect(live.value == 0)
    for _ in 0..<300 { _ = table.publisher(of: Counted(live)) }
    #expect(table.count <= 17)
  }

  @Test("an object never receives the publisher of an earlier object at its address", .enabled(if: addressesAreReused))
  func addressesAreNotMistaken() {
    var seen: Set<ObjectIdentifier> = []
    var old: [ObservableObjectPublisher] = []
    var signals = 0
    var cancellables: [AnyCancellable] = []
    for _ in 0..<2_000 {
      let object = Unpublished()
      seen.insert(ObjectIdentifier(object))
      let publisher = object.objectWillChange
      #expect(!old.contains { $0 === publisher })
      publisher.send()
      #expect(signals == 0)
      old.append(publisher)
      if old.count > 50 { old.removeFirst() }
      cancellables = [publisher.sink { signals += 1 }]
      object.objectWillChange.send()
      #expect(signals == 1)
      signals = 0
    }
    #expect(seen.count < 2_000, "No address was used twice: the test shows nothing.")
    withExtendedLifetime(cancellables) {}
  }

  @Test("a property's publisher that outlives the object reserves its address")
  func keptPublisher() {
    var publishers: [Published<Int>.Publisher] = []
    var addresses: Set<ObjectIdentifier> = []
    for _ in 0..<100 {
      let object = Derived()
      let recorder = object.objectWillChange.map { 1 }.record(demanding: .unlimited)
      publishers.append(object.$a)
      #expect(addresses.insert(ObjectIdentifier(object)).inserted)
      object.a = 1
      object.b = 1
      #expect(recorder.values == [1, 1])
    }
    #expect(publishers.count == 100)
  }

  @Test("a storage that two objects share notifies the first, and both keep their publishers")
  func sharedStorage() {
    final class Sharing: ObservableObject {
      let property: Published<Int>
      init(_ property: Published<Int>) { self.property = property }
    }
    let property = Published(initialValue: 0)
    let (a, b) = (Sharing(property), Sharing(property))
    let ofA = Weakly(object: a.objectWillChange)
    let ofB = Weakly(object: b.objectWillChange)
    #expect(ofA.object != nil)
    #expect(ofA.object === a.objectWillChange)
    #expect(ofB.object != nil)
    #expect(ofB.object === b.objectWillChange)
    #expect(ofA.object !== ofB.object)
    withExtendedLifetime((a, b)) {}
  }
}

@Suite("ObservableObjectPublisher")
struct ObservableObjectPublisherTests {
  @Test("sends every signal to subscribers with any demand")
  func demand() {
    let publisher = ObservableObjectPublisher()
    let ones = publisher.map { 1 }
    let all = ones.record(demanding: .unlimited)
    let one = ones.record(demanding: .max(1))
    let none = ones.record()
    #expect(none.subscription.map { String(describing: $0) } == "ObservableObjectPublisher")
    for _ in 0..<3 { publisher.send() }
    #expect(all.values == [1, 1, 1])
    #expect(one.values == [1, 1, 1])
    #expect(none.values == [])
    one.request(.max(2))
    #expect(one.values == [1, 1, 1])
    publisher.send()
    all.cancel()
    publisher.send()
    #expect(one.values == [1, 1, 1, 1, 1])
    #expect(all.values == [1, 1, 1, 1])
  }
}
