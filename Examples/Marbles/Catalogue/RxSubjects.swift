import Observation
import Weir
import WeirRx
import WeirTesting

extension Catalogue {
  static let rxSubjects = Family("Subjects and relays, Rx") {
    Diagram("ReplaySubject", "ReplaySubject<Int, Never>(bufferSize: 2)") { stage in
      let subject = ReplaySubject<Int, Never>(bufferSize: 2)
      try stage.send("-1-2-3-4-|", to: subject)
      try stage.subscribe(to: subject, as: "ReplaySubject<Int, Never>(bufferSize: 2)", demand: "1------∞")
      try stage.subscribe(to: subject, as: "later", at: 6)
    }
    Diagram("PassthroughRelay", "PassthroughRelay<Int>()") { stage in
      let relay = PassthroughRelay<Int>()
      try stage.send("-1-2-3-4", to: relay)
      try stage.subscribe(to: relay, as: "PassthroughRelay<Int>()", demand: "2-----1")
      try stage.subscribe(to: relay, as: "later", at: 4)
    }
    Diagram("CurrentValueRelay", "CurrentValueRelay(0)") { stage in
      let relay = CurrentValueRelay(0)
      try stage.send("-1-2-3-4", to: relay)
      try stage.subscribe(to: relay, as: "CurrentValueRelay(0)", demand: "2-----1")
      try stage.subscribe(to: relay, as: "later", at: 4)
    }
    Diagram("ReplayRelay", "ReplayRelay<Int>(bufferSize: 2)") { stage in
      let relay = ReplayRelay<Int>(bufferSize: 2)
      try stage.send("-1-2-3-4", to: relay)
      try stage.subscribe(to: relay, as: "ReplayRelay<Int>(bufferSize: 2)", demand: "1------∞")
      try stage.subscribe(to: relay, as: "later", at: 6)
    }
    Diagram("share(replay:)", ".share(replay: 1)", in: "func share(replay") { stage in
      let shared = try stage.letters("-a-b-c-d-|").share(replay: 1)
      try stage.subscribe(to: shared, as: ".share(replay: 1)")
      try stage.subscribe(to: shared, as: "later", at: 4)
    }
    Diagram("Channel", "channel.following") { stage in
      let channel = Channel<Int, Never>()
      try stage.send("-1-2-|", as: "leading", end: { channel.leading.send(completion: .finished) }) {
        channel.leading.send(Int($0) ?? 0)
      }
      try stage.subscribe(to: channel.following, as: "channel.following")
      try stage.subscribe(to: channel.following, as: "later", at: 4)
    }
    Diagram("PropertyChannel", "PropertyChannel(volume, \\.relay)") { stage in
      let volume = Volume()
      stage.keep(volume)
      let channel = PropertyChannel(volume, \.relay)
      try stage.send("-1-2", as: "accept") { volume.relay.accept(Int($0) ?? 0) }
      try stage.subscribe(to: channel, as: "PropertyChannel(volume, \\.relay)")
      try stage.subscribe(to: channel, as: "later", at: 4)
    }
    Diagram("Observed", "game.publisher(for: \\.score, on: clock)", in: Declaration("struct Observed")) { stage in
      let game = Game()
      let clock = stage.clock
      stage.keep(game)
      try stage.send("-1-2-3", as: "score =") { game.score = Int($0) ?? 0 }
      let scores = game.publisher(for: \.score, on: clock)
      try stage.subscribe(to: scores, as: "game.publisher(for: \\.score, on: clock)", demand: "2-----1")
    }
    Diagram(
      "Observable.publisher", "game.publisher(for: \\.score, on: clock)",
      in: "func publisher<Value>(for keyPath: KeyPath<Self, Value>, on scheduler"
    ) { stage, clock in
      let game = Game()
      stage.keep(game)
      try stage.send("-1-1-2", as: "score =") { game.score = Int($0) ?? 0 }
      return game.publisher(for: \.score, on: clock)
    }
  }
}

/// A model whose properties are observed.
@Observable
final class Game {
  var score = 0
}

/// A model with a relay.
final class Volume {
  let relay = CurrentValueRelay(0)
}
