import Weir
import WeirControls
import WeirTesting

/// Many events that a test reads while they come, and many targets of one control.
let testingShapes: [Shape] = [
  Shape("TestSubscriber, values read after each value") { count in
    let source = Source()
    let subscriber = TestSubscriber<Int, Never>(demanding: .unlimited)
    source.subscribe(subscriber)
    for value in 0..<count {
      source.send(value)
      precondition(subscriber.values.count == value + 1 && subscriber.history.last != nil)
    }
  },
  Shape("verify, a step for each value") { count in
    let source = Source()
    do {
      try verify(source) {
        request(.unlimited)
        for value in 0..<count {
          then { source.send(value) }
          next(value)
        }
      }
    } catch {
      fatalError("\(error)")
    }
  },
  Shape("addTarget, many targets of one control") { count in
    MainActor.assumeIsolated {
      let control = Control()
      let targets = (0..<count).map { _ in Target() }
      for target in targets {
        control.addTarget(target, action: { (target: Target) in target.count += 1 }, named: "count", for: .touchDown)
      }
      control.sendActions(for: .touchDown)
      precondition(control.allTargets.count == count && targets.allSatisfy { $0.count == 1 })
    }
  },
]

@MainActor
private final class Target {
  var count = 0
}
