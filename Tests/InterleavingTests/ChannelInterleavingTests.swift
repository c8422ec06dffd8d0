import Testing
import Weir
import WeirRx

@testable import TestSupport

/// Two-way connections with concurrent changes of both sides.
@Suite("channels, in every order of threads", .serialized)
struct ChannelInterleavingTests {
  typealias Relay = CurrentValueRelay<Int>

  @Test("channel: both ends send concurrently, each receives the other's values in order")
  func bothEnds() {
    explore("channel: send ∥ send") {
      let channel = Channel<Int, TestError>()
      let (leading, following) = (Witness(), Witness())
      channel.leading.subscribe(leading)
      channel.following.subscribe(following)
      return Trial(bodies: [
        { for value in 1...2 { channel.leading.send(value) } },
        { for value in 11...12 { channel.following.send(value) } },
      ]) {
        leading.faults + following.faults
          + (leading.values == [11, 12] && following.values == [1, 2]
            ? [] : ["got \(leading.values), \(following.values)"])
      }
    }
  }

  @Test("channel: the last value that an end delivers is its current value")
  func oneEnd() {
    explore("channel: send ∥ send, from one end") {
      let channel = Channel<Int, TestError>()
      let following = Witness()
      channel.following.subscribe(following)
      return Trial(bodies: [{ channel.leading.send(1) }, { channel.leading.send(2) }]) {
        let late = Witness()
        channel.following.subscribe(late)
        defer { late.cancel() }
        let now = channel.following.currentValue
        return following.faults + late.faults
          + (following.values.last == now && late.values == [now]
            ? [] : ["got \(following.values), then \(late.values), but it is \(now ?? 0)"])
      }
    }
  }

  @Test("channel: send ∥ end ∥ subscribe")
  func ends() {
    explore("channel: send ∥ end ∥ subscribe") {
      let channel = Channel<Int, TestError>()
      let (leading, following, late) = (Witness(), Witness(), Witness())
      channel.leading.subscribe(leading)
      channel.following.subscribe(following)
      return Trial(bodies: [
        { channel.leading.send(1) }, { channel.following.send(completion: .finished) },
        { channel.following.subscribe(late) },
      ]) {
        let ends = [leading, following, late].map(\.ends)
        return leading.faults + following.faults + late.faults
          + (ends.allSatisfy { $0 == [.finished] } ? [] : ["ends: \(ends)"])
      }
    }
  }

  @Test("property: the channel and other code set it concurrently and agree in the end")
  func property() {
    explore("property channel: send ∥ set") {
      let relay = Relay(0)
      let channel = PropertyChannel(relay, \.value)
      let witness = Witness()
      channel.setFailureType(to: TestError.self).subscribe(witness)
      return Trial(bodies: [{ channel.send(1) }, { relay.accept(2) }]) {
        defer { witness.cancel() }
        // The channel's own values aren't sent back, but values of other code are.
        return witness.faults
          + (relay.value == 1 || witness.values.last == relay.value
            ? [] : ["got \(witness.values), but it is \(relay.value)"])
      }
    }
  }

  @Test("bound relays agree in the end")
  func bound() {
    explore("binding: set ∥ set") {
      let (left, right) = (Relay(0), Relay(0))
      let binding = left <-> right
      return Trial(bodies: [{ left.accept(1) }, { right.accept(2) }]) {
        withExtendedLifetime(binding) {
          left.value == right.value && left.value != 0 ? [] : ["\(left.value) and \(right.value)"]
        }
      }
    }
  }

  @Test("bound relays agree in the end, also after a hand-over")
  func handedOver() {
    explore("bindings: set ∥ set ∥ new thread") {
      let relays = (0..<3).map { (_: Int) in Relay(0) }
      let bindings = [relays[0] <-> relays[1], relays[2] <-> relays[1]]
      return Trial(bodies: [
        { for value in 1...2 { relays[0].accept(value) } }, { for value in 11...14 { relays[2].accept(value) } },
        { Interleaver.takeOffers() },
      ]) {
        withExtendedLifetime(bindings) {
          Set(relays.map(\.value)).count == 1 && relays[0].value != 0 ? [] : ["\(relays.map(\.value))"]
        }
      }
    }
  }
}
