import Combine
import Foundation

/// Counts ticks of the main run loop, and records where Dispatch and notifications deliver.
func countTicks(_ count: Int) -> [String] {
  var lines: [String] = []
  var bag = Set<AnyCancellable>()
  let posted = Notification.Name("posted")
  NotificationCenter.default.publisher(for: posted)
    .receive(on: RunLoop.main)
    .sink { lines.append("\($0.name.rawValue)") }
    .store(in: &bag)
  Timer.publish(every: 0.001, on: .main, in: .default)
    .autoconnect()
    .prefix(count)
    .map { _ in "tick" }
    .append(Just("posting"))
    .handleEvents(receiveCompletion: { _ in NotificationCenter.default.post(name: posted, object: nil) })
    .sink { lines.append($0) }
    .store(in: &bag)
  while lines.count < count + 2 { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.01)) }
  return lines
}
