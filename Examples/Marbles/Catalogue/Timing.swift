import Weir
import WeirTesting

extension Catalogue {
  static let timing = Family("Timing") {
    Diagram("debounce", ".debounce(for: 2, scheduler: clock)", in: "func debounce<S: Scheduler>(") { stage, clock in
      try stage.letters("-a-bc---d-|").debounce(for: 2, scheduler: clock)
    }
    Diagram("throttle", ".throttle(for: 3, scheduler: clock, latest: true)", in: "func throttle<S: Scheduler>(") {
      stage, clock in
      try stage.letters("-a-bc---d--|").throttle(for: 3, scheduler: clock, latest: true)
    }
    Diagram("delay", ".delay(for: 3, scheduler: clock)", in: "func delay<S: Scheduler>(") { stage, clock in
      try stage.letters("-a-b-|").delay(for: 3, scheduler: clock)
    }
    Diagram("timeout", ".timeout(3, scheduler: clock)", in: "func timeout<S: Scheduler>(") { stage, clock in
      try stage.letters("-a-b------c|").timeout(3, scheduler: clock)
    }
    Diagram("measureInterval", ".measureInterval(using: clock)") { stage, clock in
      try stage.letters("--a-b---c|").measureInterval(using: clock).map { Int($0.magnitude / 1_000_000_000) }
    }
    Diagram("collect(byTime:)", ".collect(.byTime(clock, 4))", in: "func collect<S: Scheduler>(") { stage, clock in
      try stage.letters("-a-b--cd--|").collect(.byTime(clock, 4))
    }
    Diagram(
      "collect(byTimeOrCount:)", ".collect(.byTimeOrCount(clock, 4, 2))",
      in: Declaration("case byTimeOrCount", file: "CollectByTime")
    ) { stage, clock in
      try stage.letters("-abc---d---|").collect(.byTimeOrCount(clock, 4, 2))
    }
    Diagram("receive(on:)", ".receive(on: clock)", in: "func receive<S: Scheduler>(") { stage, clock in
      try stage.letters("-a-b-|").receive(on: clock)
    }
    Diagram("subscribe(on:)", ".subscribe(on: clock)", in: "func subscribe<S: Scheduler>(") { stage, clock in
      try stage.letters("-a-b-|").subscribe(on: clock)
    }
  }
}
