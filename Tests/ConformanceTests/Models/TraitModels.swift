import Weir
import WeirRx
import WeirTesting

extension TimedModel {
  static let traits: [TimedModel] = promises + singles + maybes + completables

  // MARK: Guarantees

  @Sendable
  private static func single(_ upstream: Upstream) -> Single<Int, UpstreamFailure> {
    upstream.asSingle(orFailWith: { _ in UpstreamFailure() })
  }

  @Sendable
  private static func maybe(_ upstream: Upstream) -> Maybe<Int, UpstreamFailure> {
    upstream.asMaybe(orFailWith: { _ in UpstreamFailure() })
  }

  /// The result for upstreams of a trait: the only value after the finish, or a violation of the guarantee.
  private static func promised(_ inputs: [Input], atLeastOne: Bool = false) -> [Input] {
    var values: [Int: [Input]] = [:]
    var over: Set<Int> = []
    return inputs.flatMap { input -> [Input] in
      if over.contains(input.source) { return [] }
      if input.value != nil { values[input.source, default: []].append(input) }
      let count = values[input.source]?.count ?? 0
      let isBroken = count > 1 || (atLeastOne && count == 0 && input.end == .finished)
      guard let end = isBroken ? .failed : input.end else { return [] }
      over.insert(input.source)
      let kept = end == .finished ? values[input.source]?.compactMap(\.value) ?? [] : []
      return kept.map { Input(time: input.time, source: input.source, value: $0) }
        + [Input(time: input.time, source: input.source, value: nil, end: end)]
    }
  }

  private static func kept(_ inputs: [Input]) -> [Input] { promised(inputs, atLeastOne: true) }

  /// The results for each value.
  static func each(_ inputs: [Input], _ change: (Int) -> [Int]) -> [Output] {
    inputs.flatMap { input in
      input.value.map { change($0).map { Output(input.time, "\($0)") } } ?? [passed(input)]
    }
  }

  /// Replaces the failure with a value.
  private static func caught(_ inputs: [Input], _ value: Int?) -> [Output] {
    inputs.flatMap { input -> [Output] in
      guard input.end == .failed else { return [passed(input)] }
      return (value.map { [Output(input.time, "\($0)")] } ?? []) + [Output(input.time, .finished)]
    }
  }

  /// Replaces a missing value with a value.
  private static func filled(_ inputs: [Input], _ value: Int) -> [Output] {
    let isEmpty = inputs.first?.end == .finished
    return (isEmpty ? inputs.map { Output($0.time, "\(value)") } : []) + inputs.map(passed)
  }

  private static func late(_ inputs: [Input]) -> [Output] {
    inputs.map { Output($0.time + 10, passed($0).text) }
  }

  /// The events before a timeout.
  private static func timely(_ inputs: [Input]) -> [Output] {
    inputs.filter { $0.time < 10 }.map(passed) + [Output(10, .failed)]
  }

  private static func ends(_ inputs: [Input]) -> [Input] { inputs.filter { $0.end != nil } }

  private static let promises: [TimedModel] = [
    TimedModel("asSingle") { upstreams, _ in
      upstreams[0].asSingle().mapError { _ in UpstreamFailure() }
    } list: { inputs, _ in
      kept(inputs).map(passed)
    },
    TimedModel("asSingle(orFailWith:)") { upstreams, _ in
      single(upstreams[0])
    } list: { inputs, _ in
      kept(inputs).map(passed)
    },
    TimedModel("asMaybe") { upstreams, _ in
      upstreams[0].asMaybe().mapError { _ in UpstreamFailure() }
    } list: { inputs, _ in
      promised(inputs).map(passed)
    },
    TimedModel("asMaybe(orFailWith:)") { upstreams, _ in
      maybe(upstreams[0])
    } list: { inputs, _ in
      promised(inputs).map(passed)
    },
    TimedModel("asCompletable") { upstreams, _ in
      upstreams[0].asCompletable()
    } list: { inputs, _ in
      ends(inputs).map(passed)
    },
  ]

  private static let singles: [TimedModel] = [
    TimedModel("Single.map") { upstreams, _ in
      single(upstreams[0]).map { $0 * 2 }
    } list: { inputs, _ in
      each(kept(inputs)) { [$0 * 2] }
    },
    TimedModel("Single.compactMap") { upstreams, _ in
      single(upstreams[0]).compactMap { $0 > 1 ? $0 : nil }
    } list: { inputs, _ in
      each(kept(inputs)) { $0 > 1 ? [$0] : [] }
    },
    TimedModel("Single.filter") { upstreams, _ in
      single(upstreams[0]).filter { $0 > 1 }
    } list: { inputs, _ in
      each(kept(inputs)) { $0 > 1 ? [$0] : [] }
    },
    TimedModel("Single.flatMap") { upstreams, _ in
      single(upstreams[0]).flatMap { .just($0 * 2) }
    } list: { inputs, _ in
      each(kept(inputs)) { [$0 * 2] }
    },
    TimedModel("Single.flatMapMaybe") { upstreams, _ in
      single(upstreams[0]).flatMapMaybe { $0 > 1 ? .just($0) : .empty() }
    } list: { inputs, _ in
      each(kept(inputs)) { $0 > 1 ? [$0] : [] }
    },
    TimedModel("Single.flatMapCompletable") { upstreams, _ in
      single(upstreams[0]).flatMapCompletable { _ in .empty() }
    } list: { inputs, _ in
      ends(kept(inputs)).map(passed)
    },
    TimedModel("Single.catchAndReturn") { upstreams, _ in
      single(upstreams[0]).catchAndReturn(7)
    } list: { inputs, _ in
      caught(kept(inputs), 7)
    },
    TimedModel("Single.catch") { upstreams, _ in
      single(upstreams[0]).catch { _ -> Single<Int, Never> in .just(7) }
    } list: { inputs, _ in
      caught(kept(inputs), 7)
    },
    TimedModel("Single.zip(resultSelector:)", sources: 2) { upstreams, _ in
      Single.zip(single(upstreams[0]), single(upstreams[1]), resultSelector: -)
    } list: { inputs, _ in
      zipped(kept(inputs), 2) { "\($0[0] - $0[1])" }
    },
    TimedModel("Single.zip", sources: 2) { upstreams, _ in
      single(upstreams[0]).zip(single(upstreams[1]))
    } list: { inputs, _ in
      zipped(kept(inputs), 2)
    },
    TimedModel("Single.zip, many", sources: 3) { upstreams, _ in
      Single.zip(upstreams.map(single))
    } list: { inputs, _ in
      zipped(kept(inputs), 3) { "\($0)" }
    },
    TimedModel("Single.asSingle") { upstreams, _ in
      single(upstreams[0]).asSingle()
    } list: { inputs, _ in
      kept(inputs).map(passed)
    },
    TimedModel("Single.asMaybe") { upstreams, _ in
      single(upstreams[0]).asMaybe()
    } list: { inputs, _ in
      kept(inputs).map(passed)
    },
    TimedModel("Single.asPublisher") { upstreams, _ in
      single(upstreams[0]).asPublisher()
    } list: { inputs, _ in
      kept(inputs).map(passed)
    },
    TimedModel("Single.mapError") { upstreams, _ in
      single(upstreams[0]).mapError { $0 }
    } list: { inputs, _ in
      kept(inputs).map(passed)
    },
    TimedModel("Single.retry") { upstreams, _ in
      single(upstreams[0]).retry(0)
    } list: { inputs, _ in
      kept(inputs).map(passed)
    },
    TimedModel("Single.delay(for:scheduler:)", timed: true) { upstreams, scheduler in
      single(upstreams[0]).delay(for: .milliseconds(10), scheduler: scheduler)
    } list: { inputs, _ in
      late(kept(inputs))
    },
    TimedModel("Single.timeout(_:scheduler:orFailWith:)", timed: true) { upstreams, scheduler in
      single(upstreams[0]).timeout(.milliseconds(10), scheduler: scheduler, orFailWith: { UpstreamFailure() })
    } list: { inputs, _ in
      timely(kept(inputs))
    },
    TimedModel("Single.receive(on:)", timed: true) { upstreams, scheduler in
      single(upstreams[0]).receive(on: scheduler)
    } list: { inputs, _ in
      kept(inputs).map(passed)
    },
  ]

  private static let maybes: [TimedModel] = [
    TimedModel("Maybe.map") { upstreams, _ in
      maybe(upstreams[0]).map { $0 * 2 }
    } list: { inputs, _ in
      each(promised(inputs)) { [$0 * 2] }
    },
    TimedModel("Maybe.compactMap") { upstreams, _ in
      maybe(upstreams[0]).compactMap { $0 > 1 ? $0 : nil }
    } list: { inputs, _ in
      each(promised(inputs)) { $0 > 1 ? [$0] : [] }
    },
    TimedModel("Maybe.filter") { upstreams, _ in
      maybe(upstreams[0]).filter { $0 > 1 }
    } list: { inputs, _ in
      each(promised(inputs)) { $0 > 1 ? [$0] : [] }
    },
    TimedModel("Maybe.flatMap") { upstreams, _ in
      maybe(upstreams[0]).flatMap { $0 > 1 ? .just($0) : .empty() }
    } list: { inputs, _ in
      each(promised(inputs)) { $0 > 1 ? [$0] : [] }
    },
    TimedModel("Maybe.ifEmpty(default:)") { upstreams, _ in
      maybe(upstreams[0]).ifEmpty(default: 7)
    } list: { inputs, _ in
      filled(promised(inputs), 7)
    },
    TimedModel("Maybe.ifEmpty(switchTo:)") { upstreams, _ in
      maybe(upstreams[0]).ifEmpty(switchTo: Single.just(7))
    } list: { inputs, _ in
      filled(promised(inputs), 7)
    },
    TimedModel("Maybe.flatMapCompletable") { upstreams, _ in
      maybe(upstreams[0]).flatMapCompletable { _ in .empty() }
    } list: { inputs, _ in
      ends(promised(inputs)).map(passed)
    },
    TimedModel("Maybe.catchAndReturn") { upstreams, _ in
      maybe(upstreams[0]).catchAndReturn(7)
    } list: { inputs, _ in
      caught(promised(inputs), 7)
    },
    TimedModel("Maybe.catch") { upstreams, _ in
      maybe(upstreams[0]).catch { _ -> Maybe<Int, Never> in .just(7) }
    } list: { inputs, _ in
      caught(promised(inputs), 7)
    },
    TimedModel("Maybe.zip(resultSelector:)", sources: 2) { upstreams, _ in
      Maybe.zip(maybe(upstreams[0]), maybe(upstreams[1]), resultSelector: -)
    } list: { inputs, _ in
      zipped(promised(inputs), 2) { "\($0[0] - $0[1])" }
    },
    TimedModel("Maybe.zip", sources: 2) { upstreams, _ in
      maybe(upstreams[0]).zip(maybe(upstreams[1]))
    } list: { inputs, _ in
      zipped(promised(inputs), 2)
    },
    TimedModel("Maybe.asMaybe") { upstreams, _ in
      maybe(upstreams[0]).asMaybe()
    } list: { inputs, _ in
      promised(inputs).map(passed)
    },
    TimedModel("Maybe.asPublisher") { upstreams, _ in
      maybe(upstreams[0]).asPublisher()
    } list: { inputs, _ in
      promised(inputs).map(passed)
    },
    TimedModel("Maybe.mapError") { upstreams, _ in
      maybe(upstreams[0]).mapError { $0 }
    } list: { inputs, _ in
      promised(inputs).map(passed)
    },
    TimedModel("Maybe.retry") { upstreams, _ in
      maybe(upstreams[0]).retry(0)
    } list: { inputs, _ in
      promised(inputs).map(passed)
    },
    TimedModel("Maybe.delay(for:scheduler:)", timed: true) { upstreams, scheduler in
      maybe(upstreams[0]).delay(for: .milliseconds(10), scheduler: scheduler)
    } list: { inputs, _ in
      late(promised(inputs))
    },
    TimedModel("Maybe.timeout(_:scheduler:orFailWith:)", timed: true) { upstreams, scheduler in
      maybe(upstreams[0]).timeout(.milliseconds(10), scheduler: scheduler, orFailWith: { UpstreamFailure() })
    } list: { inputs, _ in
      timely(promised(inputs))
    },
    TimedModel("Maybe.receive(on:)", timed: true) { upstreams, scheduler in
      maybe(upstreams[0]).receive(on: scheduler)
    } list: { inputs, _ in
      promised(inputs).map(passed)
    },
  ]

  private static let completables: [TimedModel] = [
    TimedModel("Completable.andThen", sources: 2) { upstreams, _ in
      upstreams[0].asCompletable().andThen(upstreams[1])
    } list: { inputs, _ in
      following(inputs, after: .finished, values: false)
    },
    TimedModel("Completable.concat", sources: 2) { upstreams, _ in
      Completable.concat(upstreams.map { $0.asCompletable() })
    } list: { inputs, _ in
      following(ends(inputs), after: .finished)
    },
    TimedModel("Completable.zip", sources: 3) { upstreams, _ in
      Completable.zip(upstreams.map { $0.asCompletable() })
    } list: { inputs, _ in
      merged(ends(inputs), 3)
    },
    TimedModel("Completable.catch") { upstreams, _ in
      upstreams[0].asCompletable().catch { _ -> Completable<Never> in .empty() }
    } list: { inputs, _ in
      caught(ends(inputs), nil)
    },
    TimedModel("Completable.asCompletable") { upstreams, _ in
      upstreams[0].asCompletable().asCompletable()
    } list: { inputs, _ in
      ends(inputs).map(passed)
    },
    TimedModel("Completable.asPublisher") { upstreams, _ in
      upstreams[0].asCompletable().asPublisher()
    } list: { inputs, _ in
      ends(inputs).map(passed)
    },
    TimedModel("Completable.asMaybe") { upstreams, _ in
      upstreams[0].asCompletable().asMaybe(of: Int.self)
    } list: { inputs, _ in
      ends(inputs).map(passed)
    },
    TimedModel("Completable.mapError") { upstreams, _ in
      upstreams[0].asCompletable().mapError { $0 }
    } list: { inputs, _ in
      ends(inputs).map(passed)
    },
    TimedModel("Completable.retry") { upstreams, _ in
      upstreams[0].asCompletable().retry(0)
    } list: { inputs, _ in
      ends(inputs).map(passed)
    },
    TimedModel("Completable.delay(for:scheduler:)", timed: true) { upstreams, scheduler in
      upstreams[0].asCompletable().delay(for: .milliseconds(10), scheduler: scheduler)
    } list: { inputs, _ in
      late(ends(inputs))
    },
    TimedModel("Completable.timeout(_:scheduler:orFailWith:)", timed: true) { upstreams, scheduler in
      upstreams[0].asCompletable().timeout(.milliseconds(10), scheduler: scheduler, orFailWith: { UpstreamFailure() })
    } list: { inputs, _ in
      timely(ends(inputs))
    },
    TimedModel("Completable.receive(on:)", timed: true) { upstreams, scheduler in
      upstreams[0].asCompletable().receive(on: scheduler)
    } list: { inputs, _ in
      ends(inputs).map(passed)
    },
  ]
}
