import Weir
import WeirRx
import WeirTesting

/// Many timers of one scheduler.
let timerShapes: [Shape] =
  Shape.inEachOrder("virtual time, timers cancelled") { order in
    let scheduler = VirtualTimeScheduler()
    var timers: [(any Cancellable)?] = order.map {
      scheduler.schedule(
        after: scheduler.now.advanced(by: VirtualTime.Stride(integerLiteral: $0 + 1)), interval: 1, tolerance: 0,
        options: nil
      ) {}
    }
    for number in order { timers[number]?.cancel() }
    timers = []
  }
  + [
    Shape("delay") { count in timed(count) { $0.delay(for: 1, scheduler: $1) } },
    Shape("debounce") { count in timed(count) { $0.debounce(for: 1, scheduler: $1) } },
    Shape("throttle") { count in timed(count) { $0.throttle(for: 1, scheduler: $1, latest: true) } },
    Shape("timeout") { count in timed(count) { $0.timeout(1, scheduler: $1) } },
    Shape("receive(on:)") { count in timed(count) { $0.receive(on: $1) } },
    Shape("collect by time") { count in timed(count) { $0.collect(.byTime($1, 1)) } },
    Shape("window(time:)") { count in timed(count) { $0.window(time: 1, scheduler: $1).flatMap { $0 } } },
  ]

/// Sends values to an operator, ten of them in each unit of time.
private func timed<P: Publisher>(_ count: Int, _ operation: (Source, VirtualTimeScheduler) -> P)
where P.Failure == Never {
  let scheduler = VirtualTimeScheduler()
  let source = Source()
  let counter = operation(source, scheduler).count()
  for value in 0..<count {
    source.send(value)
    if value % 10 == 0 { scheduler.advance(by: 1) }
  }
  scheduler.advance(by: 2)
  counter.cancel()
}
