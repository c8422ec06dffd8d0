import Combine
import Foundation
import Testing

/// A model that counts a timer's ticks while it runs, and publishes the text of a view.
private final class Stopwatch: ObservableObject {
  @Published private(set) var seconds = 0
  @Published private(set) var laps: [Int] = []
  @Published private(set) var display = "00:00"

  private let ticks: () -> AnyPublisher<Date, Never>
  private var running: AnyCancellable?
  private let lapTaken = PassthroughSubject<Void, Never>()
  private var bag = Set<AnyCancellable>()

  /// - Parameter ticks: Creates a timer for each subscriber.
  init(
    ticks: @escaping () -> AnyPublisher<Date, Never> = {
      Timer.publish(every: 1, on: .main, in: .common).autoconnect().eraseToAnyPublisher()
    }
  ) {
    self.ticks = ticks
    $seconds
      .map { String(format: "%02d:%02d", $0 / 60, $0 % 60) }
      .removeDuplicates()
      .assign(to: &$display)
    lapTaken
      .map { [weak self] in self?.seconds ?? 0 }
      .scan([]) { $0 + [$1] }
      .assign(to: &$laps)
  }

  var isRunning: Bool { running != nil }

  func start() {
    if isRunning { return }
    running = ticks()
      .scan(seconds) { seconds, _ in seconds + 1 }
      .sink { [weak self] in self?.seconds = $0 }
  }

  func pause() {
    running = nil
  }

  func takeLap() {
    lapTaken.send()
  }
}

@Suite("A timer with a published model, as written for Combine")
struct StopwatchTests {
  private let ticks = PassthroughSubject<Date, Never>()

  private func stopwatch() -> Stopwatch {
    Stopwatch { [ticks] in ticks.eraseToAnyPublisher() }
  }

  private func tick(_ count: Int) {
    for _ in 0..<count { ticks.send(Date()) }
  }

  @Test("counts while it runs, and continues after a pause")
  func counts() {
    let stopwatch = stopwatch()
    tick(1)
    stopwatch.start()
    stopwatch.start()
    tick(3)
    stopwatch.pause()
    tick(5)
    #expect(stopwatch.seconds == 3)
    stopwatch.start()
    tick(70)
    #expect(stopwatch.seconds == 73)
    #expect(stopwatch.display == "01:13")
  }

  @Test("announces each change to a view before it happens, and nothing else")
  func tellsBefore() {
    let stopwatch = stopwatch()
    var heard: [String] = []
    let view = stopwatch.objectWillChange.sink { [unowned stopwatch] in heard.append(stopwatch.display) }
    stopwatch.start()
    #expect(heard.isEmpty)
    tick(2)
    // The seconds change, and the displayed text changes with them.
    #expect(heard == ["00:00", "00:00", "00:01", "00:01"])
    view.cancel()
    tick(1)
    #expect(heard.count == 4)
  }

  @Test("a label shows the current text and later ones")
  func label() {
    let stopwatch = stopwatch()
    var shown: [String] = []
    let label = stopwatch.$display.sink { shown.append($0) }
    stopwatch.start()
    tick(2)
    label.cancel()
    tick(1)
    #expect(shown == ["00:00", "00:01", "00:02"])
  }

  @Test("stores the laps")
  func laps() {
    let stopwatch = stopwatch()
    stopwatch.start()
    tick(2)
    stopwatch.takeLap()
    tick(3)
    stopwatch.takeLap()
    #expect(stopwatch.laps == [2, 5])
  }

  @Test("is deallocated although it runs and assigns to itself")
  func isReleased() {
    weak var released: Stopwatch?
    do {
      let stopwatch = stopwatch()
      stopwatch.start()
      tick(1)
      released = stopwatch
    }
    #expect(released == nil)
    tick(1)
  }
}
