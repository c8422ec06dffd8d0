// Subscribers that block their thread until a task has run. Tasks share a few threads, which a hand-over must not use.

import Cases
import Dispatch
import Synchronization
import Weir

private func faultOfWaiting() -> String? {
  let (subjects, values) = ((0..<32).map { _ in PassthroughSubject<Int, Never>() }, 1000)
  let waited = Atomic<Int>(0)
  let hasEnded = DispatchGroup()
  var sinks: [AnyCancellable] = []
  for subject in subjects {
    hasEnded.enter()
    sinks.append(
      subject.sink(
        receiveCompletion: { _ in hasEnded.leave() },
        receiveValue: { value in
          // The first value blocks its thread until all others have been sent, so that most of them are handed over.
          if value == 0 {
            let areSent = DispatchGroup()
            DispatchQueue(label: "sender").async(group: areSent) {
              for value in 1...values { subject.send(value) }
              subject.send(completion: .finished)
            }
            areSent.wait()
          }
          guard value % 100 == 50 else { return }
          let answer = DispatchSemaphore(value: 0)
          Task.detached { answer.signal() }
          answer.wait()
          waited.wrappingAdd(1, ordering: .relaxed)
        }))
    DispatchQueue(label: "first sender").async { subject.send(0) }
  }
  let isDone = hasEnded.wait(timeout: .now() + .seconds(15)) == .success
  withExtendedLifetime(sinks) {}
  if !isDone { return "subscribers block all threads of tasks" }
  let count = waited.load(ordering: .relaxed)
  return count == 32 * values / 100 ? nil : "\(count) values waited for tasks instead of \(32 * values / 100)"
}

var waiting: [Case] { [Case("waiting-for-tasks") { faultOfWaiting() }] }
