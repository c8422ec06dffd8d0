/// The number of events between two turns of another job on the main actor, up to `count` events.
@MainActor
func mainActorTurns(until count: Int, _ arrived: @escaping @MainActor () -> Int) async -> [Int] {
  let turns = Box<[Int]>([])
  await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
    // The job enqueues its next turn itself. A task that awaited the turn would return through another executor.
    @MainActor func look(last: Int) {
      let now = arrived()
      if now > last { turns.value.append(now - last) }
      if now >= count { return continuation.resume() }
      Task { @MainActor in look(last: now) }
    }
    look(last: arrived())
  }
  return turns.value
}
