import Testing
import Weir

@testable import TestSupport

@Suite("Published")
struct PublishedTests {
  final class Model {
    @Published var number = 0
    @Published var text: String?
    @Published var thing: LastWords?
  }

  let model = Model()

  @Test("sends the value at the first demand, and each new one before it is stored")
  func sendsBeforeTheChange() {
    let recorder = model.$number.record()
    #expect(recorder.subscription.map { String(describing: $0) } == "PublishedSubject")
    #expect(recorder.events == [.subscription])
    var found: [Int] = []
    recorder.onValue = { [model] _ in
      found.append(model.number)
      return .none
    }
    recorder.request(.unlimited)
    model.number = 1
    model.number += 1
    #expect(recorder.events == [.subscription, .value(0), .value(1), .value(2)])
    #expect(found == [0, 0, 1])
    #expect(model.number == 2)
  }

  @Test("sends equal values again, and no completion")
  func duplicates() {
    let recorder: Recorder<Int, Never>
    do {
      let model = Model()
      recorder = model.$number.record(demanding: .unlimited)
      model.number = 0
      model.number = 0
    }
    #expect(recorder.events == [.subscription, .value(0), .value(0), .value(0)])
  }

  @Test("respects demand: a subscriber without demand receives only the newest value")
  func demand() {
    let recorder = model.$number.record(demanding: .max(1))
    for number in 1...3 { model.number = number }
    #expect(recorder.values == [0])
    recorder.request(.max(2))
    #expect(recorder.values == [0, 3])
    model.number = 4
    model.number = 5
    #expect(recorder.values == [0, 3, 4])
    recorder.cancel()
    recorder.request(.max(1))
    model.number = 6
    #expect(recorder.events == [.subscription, .value(0), .value(3), .value(4)])
  }

  @Test("a late subscriber receives the current value")
  func late() {
    model.number = 1
    let first = model.$number.record(demanding: .unlimited)
    model.number = 2
    let publisher = model.$number
    model.number = 3
    #expect(publisher.record(demanding: .unlimited).values == [3])
    #expect(first.values == [1, 2, 3])
  }

  @Test("a subscriber that attaches during a delivery receives the new value once")
  func lateInside() {
    let first = model.$number.record(demanding: .unlimited)
    var second: Recorder<Int, Never>?
    first.onValue = { [model] value in
      if value == 1 { second = model.$number.record(demanding: .unlimited) }
      return .none
    }
    model.number = 1
    model.number = 2
    #expect(second?.values == [1, 2])
  }

  @Test("the value being delivered replaces a re-entrantly set one, as in a willSet")
  func nested() {
    let patient = model.$number.record(demanding: .max(1))
    let recorder = model.$number.record(demanding: .unlimited)
    recorder.onValue = { [model] value in
      if value == 1 {
        model.number = 2
        #expect(model.number == 2)
      }
      return .none
    }
    model.number = 1
    #expect(recorder.values == [0, 1, 2])
    #expect(model.number == 1)
    #expect(model.$number.record(demanding: .unlimited).values == [1])
    patient.request(.max(1))
    #expect(patient.values == [0, 1])
  }

  @Test("a value isn't delivered again although another one was set inside its delivery", arguments: [true, false])
  func once(isFirst: Bool) {
    let recorder = model.$number.record(demanding: isFirst ? .max(2) : .max(1))
    let setter = model.$number.record(demanding: .unlimited)
    setter.onValue = { [model] value in
      if value == 1 { model.number = 2 }
      return .none
    }
    if !isFirst { recorder.request(.max(1)) }
    model.number = 1
    #expect(model.number == 1)
    recorder.request(.max(1))
    #expect(recorder.values == [0, 1])
    model.number = 3
    #expect(recorder.values == [0, 1, 3])
  }

  @Test("each property has its own publisher, whose values may be nil")
  func several() {
    let texts = model.$text.record(demanding: .unlimited)
    let numbers = model.$number.record(demanding: .unlimited)
    model.text = "a"
    model.text = nil
    #expect(texts.values == [nil, "a", nil])
    #expect(numbers.values == [0])
  }

  @Test("releases the old value after the new one is stored")
  func lastWords() {
    var found: [Int?] = []
    let cancellable = model.$thing.sink { found.append($0?.number) }
    model.thing = LastWords(1) { [model] in
      #expect(model.thing?.number == 2)
      model.thing = LastWords(3)
    }
    model.thing = LastWords(2)
    #expect(model.thing?.number == 3)
    #expect(found == [nil, 1, 2, 3])
    withExtendedLifetime(cancellable) {}
  }

  @Test("a subscription doesn't retain the object, and retains no object after a cancellation")
  func releases() {
    var recorder: Recorder<Int, Never>?
    let isGone = isReleased { token in
      final class Holder {
        @Published var number = 0
        let token: Token
        init(_ token: Token) { self.token = token }
      }
      recorder = Holder(token).$number.record(demanding: .unlimited)
    }
    #expect(isGone)
    #expect(recorder?.values == [0])
    let isReleasedByCancel = isReleased { token in
      let cancellable = model.$number.sink { [token] _ in withExtendedLifetime(token) {} }
      model.number = 1
      cancellable.cancel()
    }
    #expect(isReleasedByCancel)
  }

  @Test("both initializers are equivalent, and the subscript is the property")
  func initialisers() {
    final class Plain {
      var first = Published(initialValue: 1)
      let second = Published(wrappedValue: 2)
      var values = [0, 0]
      @Published(initialValue: 3) var third: Int
    }
    let plain = Plain()
    let recorder = plain.first.projectedValue.record(demanding: .unlimited)
    Published<Int>[_enclosingInstance: plain, wrapped: \.values[0], storage: \.first] += 4
    #expect(Published<Int>[_enclosingInstance: plain, wrapped: \.values[0], storage: \.first] == 5)
    #expect(recorder.values == [1, 5])
    #expect(plain.second.projectedValue.record(demanding: .unlimited).values == [2])
    #expect(plain.third == 3)
  }

  @Test("setting the publisher has no effect")
  func setsPublisher() {
    let other = Model()
    other.number = 1
    model.$number = other.$number
    model.number = 2
    #expect(other.number == 1)
  }
}

/// The test is that these classes compile.
@Suite("Published in classes of every kind")
struct PublishedClassTests {
  @MainActor
  final class Main: ObservableObject {
    @Published var number = 0
    @Published private(set) var words: [String] = []
    @Published var last = ""

    func add(_ word: String) {
      words.append(word)
      number += 1
    }
  }

  @Test("on the main actor")
  @MainActor
  func mainActor() {
    let model = Main()
    let words = model.$words.record(demanding: .unlimited)
    var changes = 0
    let cancellable = model.objectWillChange.sink { changes += 1 }
    model.add("a")
    model.$words.map { $0.last ?? "" }.assign(to: &model.$last)
    #expect(model.last == "a")
    #expect(words.values == [[], ["a"]])
    #expect(changes == 3)
    withExtendedLifetime(cancellable) {}
  }

  class Generic<Value: Equatable & Sendable>: ObservableObject {
    @Published var value: Value
    init(_ value: Value) { self.value = value }
  }

  final class Special: Generic<String> {
    @Published var other = 0
  }

  @Test("generic, and a subclass of such")
  func generic() {
    let special = Special("a")
    let values = special.$value.record(demanding: .unlimited)
    var changes = 0
    let cancellable = special.objectWillChange.sink { changes += 1 }
    special.value += "b"
    special.other = 1
    #expect(values.values == ["a", "ab"])
    #expect(changes == 2)
    withExtendedLifetime(cancellable) {}
  }

  protocol Named: AnyObject, ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    var name: String { get set }
    var names: Published<String>.Publisher { get }
  }

  final class Person: Named {
    @Published var name = "a"
    var names: Published<String>.Publisher { $name }
  }

  @Test("behind a protocol")
  func existential() {
    let person: any Named = Person()
    let names = person.names.record(demanding: .unlimited)
    var changes = 0
    let cancellable = person.objectWillChange.sink { changes += 1 }
    person.name = "b"
    #expect(names.values == ["a", "b"])
    #expect(changes == 1)
    let any: any ObservableObject = person
    #expect((any.objectWillChange as Any) as? ObservableObjectPublisher === person.objectWillChange)
    withExtendedLifetime(cancellable) {}
  }
}
