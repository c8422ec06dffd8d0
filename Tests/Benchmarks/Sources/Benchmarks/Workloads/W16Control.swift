import Weir
import WeirControls

private let count = 200_000

extension Workload {
  @MainActor
  static var control: Workload {
    let button = Button(title: "OK")
    let subscribed = Button(title: "OK")
    return Workload(
      "W16", "a control: sendActions → publisher(for:) → sink (limit: the action called)", operations: count,
      expected: count &* 2, bound: .timesLimit(3),
      limit: { onMainActor { limit(button) } },
      weir: { onMainActor { viaWeir(subscribed) } })
  }
}

/// The harness runs everything on the main thread.
private func onMainActor(_ body: @MainActor () -> Int) -> Int {
  MainActor.assumeIsolated(body)
}

@MainActor
private struct ByHand {
  let action: @MainActor (Button) -> Void
}

@MainActor
@inline(never)
private func loop(_ byHand: ByHand, _ button: Button) {
  for _ in 0..<count { byHand.action(button) }
}

@MainActor
@inline(never)
private func limit(_ button: Button) -> Int {
  var sum = 0
  loop(ByHand { sum = sum &+ $0.title.count }, button)
  return sum
}

@MainActor
@inline(never)
private func viaWeir(_ button: Button) -> Int {
  var sum = 0
  let subscription = button.publisher(for: .touchUpInside).sink { sum = sum &+ $0.title.count }
  for _ in 0..<count { button.sendActions(for: .touchUpInside) }
  subscription.cancel()
  return sum
}
