import Testing
import Weir

@testable import TestSupport

/// Every pair of concurrent calls on an operator, in every relevant order.
@Suite("operators, in every order of threads", .serialized)
struct OperatorInterleavingTests {
  private func withTimer(
    _ operation: OperatorCase, _ stage: Stage, _ witness: Witness, _ bodies: [() -> Void]
  ) -> [() -> Void] {
    guard operation.isTimed else { return bodies }
    // Arrays are compared by element where the values are requested, unless all are requested together.
    if !operation.description.hasPrefix("collect") || witness.initial == .unlimited { stage.watch(witness) }
    return bodies + [{ stage.runSome() }]
  }

  @Test("send ∥ send: serial, no loss, in order", arguments: OperatorCase.all)
  func sends(_ operation: OperatorCase) {
    explore("\(operation): send ∥ send") {
      let (stage, witness) = (Stage(operation.make), Witness())
      stage.publisher.subscribe(witness)
      let other = operation.isDouble ? stage.b : stage.a
      return Trial(
        bodies: withTimer(
          operation, stage, witness,
          [
            { for value in 1...2 { stage.a.send(value) } }, { for value in 11...12 { other.send(value) } },
          ])
      ) {
        stage.settle()
        return witness.faults + stage.faults + stage.overlaps + losses(operation, witness.values)
      }
    }
  }

  private func losses(_ operation: OperatorCase, _ values: [Int]) -> [String] {
    switch (operation.losses, operation.description) {
    case (.none, _):
      return values.filter { $0 < 10 } == [1, 2] && values.filter { $0 > 10 } == [11, 12] ? [] : ["sent: \(values)"]
    case (.exceptLast, _): return values.last == 2 || values.last == 12 ? [] : ["sent: \(values)"]
    case (.any, "zip"): return values == [111, 212] ? [] : ["zipped: \(values)"]
    case (.any, "combineLatest"): return values.last == 212 ? [] : ["combined: \(values)"]
    case (.any, "prefix"): return values.count == 3 ? [] : ["prefix: \(values)"]
    default: return []
    }
  }

  @Test("value ∥ cancel: no later event, upstreams cancelled once, all released", arguments: OperatorCase.all)
  func cancels(_ operation: OperatorCase) {
    explore("\(operation): value ∥ cancel") {
      let (stage, witness) = (Stage(operation.make), Witness())
      stage.publisher.subscribe(witness)
      stage.a.send(7)
      return Trial(
        bodies: withTimer(
          operation, stage, witness,
          [
            {
              stage.a.send(1)
              stage.b.send(2)
            }, { witness.cancel() },
          ])
      ) {
        stage.settle()
        let count = witness.values.count
        stage.a.send(3)
        stage.b.send(4)
        stage.settle()
        var faults = witness.faults + stage.faults + stage.overlaps + stage.faultsAtEnd
        if witness.values.count != count { faults.append("a value after the cancel") }
        return faults
      }.releasing(witness, keeping: stage)
    }
  }

  @Test("cancel ∥ cancel: upstreams cancelled once", arguments: OperatorCase.all.filter { !$0.handsOn })
  func cancelsTwice(_ operation: OperatorCase) {
    explore("\(operation): cancel ∥ cancel") {
      let (stage, witness) = (Stage(operation.make), Witness())
      stage.publisher.subscribe(witness)
      stage.a.send(7)
      return Trial(bodies: [{ witness.cancel() }, { witness.cancel() }, { stage.a.send(1) }]) {
        stage.settle()
        return witness.faults + stage.faults + stage.faultsAtEnd
      }.releasing(witness, keeping: stage)
    }
  }

  @Test("value ∥ completion: one completion, last", arguments: OperatorCase.all, [true, false])
  func completes(_ operation: OperatorCase, _ fails: Bool) {
    explore("\(operation): value ∥ \(fails ? "failure" : "finish")") {
      let (stage, witness) = (Stage(operation.make), Witness())
      stage.publisher.subscribe(witness)
      stage.a.send(7)
      let other = operation.isDouble ? stage.b : stage.a
      return Trial(
        bodies: withTimer(
          operation, stage, witness,
          [
            { for value in 1...2 { stage.a.send(value) } },
            { other.send(completion: fails ? .failure(.oops) : .finished) },
          ])
      ) {
        stage.settle()
        for _ in 0..<2 {
          stage.a.send(completion: .finished)
          stage.b.send(completion: .finished)
        }
        stage.settle()
        var faults = witness.faults + stage.faults + stage.faultsAtEnd
        if witness.ends.count != 1 { faults.append("ends: \(witness.ends)") }
        return faults
      }.releasing(witness, keeping: stage)
    }
  }

  @Test("completion ∥ cancel: at most one completion, upstreams cancelled at most once", arguments: OperatorCase.all)
  func completesAndCancels(_ operation: OperatorCase) {
    explore("\(operation): completion ∥ cancel") {
      let (stage, witness) = (Stage(operation.make), Witness())
      stage.publisher.subscribe(witness)
      stage.a.send(7)
      return Trial(
        bodies: withTimer(
          operation, stage, witness,
          [
            {
              stage.a.send(completion: .finished)
              stage.b.send(completion: .failure(.oops))
            }, { witness.cancel() },
          ])
      ) {
        stage.settle()
        return witness.faults + stage.faults + stage.faultsAtEnd
      }.releasing(witness, keeping: stage)
    }
  }

  @Test("request ∥ value: within the demand, no demand lost", arguments: OperatorCase.all)
  func requests(_ operation: OperatorCase) {
    explore("\(operation): request ∥ value") {
      let (stage, witness) = (Stage(operation.make), Witness(demanding: .none))
      stage.publisher.subscribe(witness)
      return Trial(
        bodies: withTimer(
          operation, stage, witness,
          [
            { for _ in 0..<2 { witness.request(.max(1)) } },
            {
              stage.a.send(1)
              stage.b.send(11)
              stage.a.send(2)
            },
          ])
      ) {
        stage.settle()
        var faults = witness.faults + stage.faults + stage.overlaps
        if operation.keeps, witness.values != [1, 2] { faults.append("got \(witness.values)") }
        // Requested demand is still outstanding, or has been used.
        if operation.losses == .none {
          for value in 3...6 {
            stage.a.send(value)
            stage.settle()
          }
          if witness.values.count != 2 { faults.append("got \(witness.values), having asked for two") }
        }
        return faults + witness.faults
      }
    }
  }

  @Test("request ∥ cancel, with a value in flight", arguments: OperatorCase.all)
  func requestsAndCancels(_ operation: OperatorCase) {
    explore("\(operation): request ∥ cancel") {
      let (stage, witness) = (Stage(operation.make), Witness(demanding: .max(1), returning: .max(1)))
      stage.publisher.subscribe(witness)
      stage.a.send(7)
      stage.b.send(8)
      return Trial(
        bodies: withTimer(
          operation, stage, witness,
          [
            { for _ in 0..<2 { witness.request(.max(1)) } }, { witness.cancel() },
            {
              stage.a.send(1)
              stage.b.send(2)
            },
          ])
      ) {
        stage.settle()
        let count = witness.values.count
        witness.request(.unlimited)
        stage.a.send(3)
        stage.settle()
        var faults = witness.faults + stage.faults + stage.overlaps + stage.faultsAtEnd
        if witness.values.count != count { faults.append("a value after the cancel") }
        return faults
      }
    }
  }

  @Test("subscribe ∥ send: the subscription first, then a gapless suffix", arguments: OperatorCase.all)
  func subscribes(_ operation: OperatorCase) {
    explore("\(operation): subscribe ∥ send") {
      let (stage, witness) = (Stage(operation.make), Witness())
      return Trial(
        bodies: withTimer(
          operation, stage, witness,
          [
            { stage.publisher.subscribe(witness) },
            { for value in 1...2 { stage.a.send(value) } },
          ])
      ) {
        stage.settle()
        stage.a.send(3)
        stage.settle()
        var faults = witness.faults + stage.faults
        if operation.losses == .none, witness.values != Array((4 - witness.values.count)...3) || witness.values.isEmpty
        {
          faults.append("got \(witness.values)")
        }
        return faults
      }
    }
  }
}
