import Testing

@testable import TestSupport
@testable import Weir

@Suite("Multicaster")
struct MulticasterTests {
  @Test("removes cancelled members, so their number doesn't grow")
  func forgets() {
    let hub = Multicaster<Int, Never>("Hub")
    for _ in 0..<1_000 {
      let recorder = Recorder<Int, Never>()
      hub.attach(Downstream(recorder))
      recorder.cancel()
    }
    #expect(hub.members.count <= 2)
  }

  @Test("removes cancelled members while another member keeps its place")
  func removesAroundAPlace() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let sinks = (0..<100).map { (_: Int) in subject.sink { (_: Int) in } }
    let recorder = Recorder<Int, Never>()
    subject.subscribe(recorder)
    let last = Recorder<Int, Never>(demanding: .unlimited)
    subject.subscribe(last)
    recorder.onValue = { (value: Int) -> Subscribers.Demand in
      if value == 0 {
        for sink in sinks { sink.cancel() }
        for _ in 0..<100 { subject.sink { (_: Int) in }.cancel() }
        #expect(subject.hub.members.count <= 4)
        subject.send(1)
      }
      return .none
    }
    recorder.request(.unlimited)
    subject.send(2)
    #expect(recorder.values == [0, 1, 2])
    #expect(last.values == [0, 1, 2])
  }

  @Test("keeps the order of the others when one of 10,000 cancels")
  func order() {
    let hub = Multicaster<Int, Never>("Hub")
    var called: [Int] = []
    let recorders = (0..<10_000).map { index -> Recorder<Int, Never> in
      let recorder = Recorder<Int, Never>(demanding: .unlimited)
      recorder.onValue = { _ in
        called.append(index)
        return .none
      }
      hub.attach(Downstream(recorder))
      return recorder
    }
    var expected = Array(0..<10_000)
    for leaving in [5_000, 0, 9_999] {
      recorders[leaving].cancel()
      expected.removeAll { $0 == leaving }
      called = []
      hub.send(1)
      #expect(called == expected)
    }
    for index in 1..<7_000 where index != 5_000 { recorders[index].cancel() }
    called = []
    hub.send(1)
    #expect(called == Array(7_000..<9_999))
    for recorder in recorders { recorder.cancel() }
    #expect(hub.members.count <= 1)
  }

  @Test("cancels the upstreams when it is deallocated")
  func upstreams() {
    let upstream = ManualSubscription()
    do {
      let hub = Multicaster<Int, Never>("Hub")
      hub.receive(upstream: upstream)
      #expect(upstream.events == [])
    }
    #expect(upstream.events == [.cancelled])
  }

  @Test("stores the value that the latest one's release sends, because it is newer than its replacement")
  func latestThatSends() {
    let hub = Multicaster<LastWords, Never>("Hub", replaying: LastWords(0))
    hub.send(LastWords(1) { hub.send(LastWords(3)) })
    hub.send(LastWords(2))
    var numbers: [Int] = []
    let sink = Subscribers.Sink<LastWords, Never>(receiveCompletion: { _ in }) { numbers.append($0.number) }
    hub.attach(Downstream(sink))
    #expect(numbers == [3])
  }
}
