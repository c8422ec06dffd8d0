// Generates the code that depends only on the number of publishers: the arities of `merge`, `zip` and `combineLatest`,
// each of which uses one state machine. The types have a fixed number of publishers, as in Combine. A type with a
// parameter pack would be another type. The types of `map` with key paths have a fixed number of key paths.
//
//     arities FOLDER

import Foundation

let counts = ["two", "three", "four", "five", "six", "seven", "eight"]

func list(_ items: some Sequence<String>) -> String { items.joined(separator: ", ") }

/// Returns upper- and lower-case letters for `count` publishers.
func letters(_ count: Int) -> [(upper: String, lower: String)] {
  "ABCDEFGH".prefix(count).map { (String($0), String($0).lowercased()) }
}

func generics(_ names: some Sequence<String>) -> String { list(names.map { "\($0): Publisher" }) }

/// Returns the type of an operator on `count` publishers: stored publishers, initializer, and `_attach(_:)`.
func shell(
  _ name: String, _ count: Int, summary: String, constraints: [String], output: String, outputSummary: String,
  method: String, attach: String, more: String = ""
) -> String {
  let parts = letters(count)
  return """
    extension Publishers {
      /// \(summary)
      @frozen
      public struct \(name)<\(generics(parts.map(\.upper)))>: _DirectPublisher where \(list(constraints)) {
        /// \(outputSummary)
        public typealias Output = \(output)

        /// The failure type of all publishers.
        public typealias Failure = A.Failure

    \(parts.map { "    /// One of the publishers.\n    public let \($0.lower): \($0.upper)\n" }.joined(separator: "\n"))
        @usableFromInline
        package let assemblySite = AssemblySite()

        /// Creates the publisher that `\(method)` returns.
        @inlinable
        public init(\(list(parts.map { "_ \($0.lower): \($0.upper)" }))) {
    \(parts.map { "      self.\($0.lower) = \($0.lower)" }.joined(separator: "\n"))
        }

        /// Attaches a downstream.
        @inlinable
        public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
    \(attach)
        }
    \(more)
      }
    }

    extension Publishers.\(name): Equatable where \(list(parts.map { "\($0.upper): Equatable" })) {}

    extension Publishers.\(name): Sendable where \(list(parts.map { "\($0.upper): Sendable" })) {}

    """
}

// MARK: merge

func mergeName(_ count: Int) -> String { count == 2 ? "Merge" : "Merge\(count)" }

func sameEvents(_ names: some Sequence<String>) -> String {
  list(names.map { "\($0).Output == Output, \($0).Failure == Failure" })
}

/// Returns a `merge` method that adds publishers to the operator.
func mergeMethod(summary: String, adding: [String], to type: String, values: String) -> String {
  let first = adding.count == 1 ? "with other: \(adding[0])" : "with \(adding[0].lowercased()): \(adding[0])"
  let parameters = [first] + adding.dropFirst().map { "_ \($0.lowercased()): \($0)" }
  let arguments = adding.count == 1 ? ["other"] : adding.map { $0.lowercased() }
  return """
      /// \(summary)
      @inlinable
      public func merge<\(generics(adding))>(\(list(parameters))) -> \(type) where \(sameEvents(adding)) {
        \(type.prefix { $0 != "<" })(\(list([values] + arguments)))
      }


    """
}

func merges() -> String {
  var text = "extension Publisher {\n"
  for count in 3...8 {
    let added = letters(count).dropFirst().map(\.upper)
    text += mergeMethod(
      summary: "Forwards the values of this publisher and of \(counts[count - 3]) others; see ``merge(with:)-(B)``.",
      adding: added, to: "Publishers.\(mergeName(count))<\(list(["Self"] + added))>", values: "self")
  }
  text += "}\n\n"
  for count in 2...8 {
    let parts = letters(count)
    let pairs = zip(parts, parts.dropFirst())
    let attach =
      "      let coordinator = Coordinator(merging: \(count), downstream: downstream)\n"
      + parts.enumerated().map { "      coordinator.attach(to: \($1.lower), as: \($0))" }.joined(separator: "\n")
    var more = ""
    if count < 8 {
      for adding in 1...(8 - count) {
        let added = "ZYXWVU".prefix(adding).map(String.init)
        more +=
          "\n"
          + mergeMethod(
            summary: "Adds \(adding == 1 ? "a publisher" : counts[adding - 2] + " publishers") to the same operator.",
            adding: added,
            to: "Publishers.\(mergeName(count + adding))<\(list(parts.map(\.upper) + added))>",
            values: list(parts.map(\.lower)))
      }
    }
    text += shell(
      mergeName(count), count,
      summary: "A publisher that forwards the values of \(counts[count - 2]) publishers as they arrive.",
      constraints: pairs.flatMap {
        ["\($0.upper).Output == \($1.upper).Output", "\($0.upper).Failure == \($1.upper).Failure"]
      },
      output: "A.Output", outputSummary: "The output type of all publishers.", method: "merge", attach: attach,
      more: more)
    text += "\n"
  }
  return text
}

// MARK: zip and combineLatest

struct Join {
  let type: String
  let method: String
  let store: String
  let methodSummary: String
  let typeSummary: (String) -> String

  /// Whether the number of values that are requested ahead is configurable.
  var prefetches = false
  var answersRequests = false
}

func joins(_ join: Join) -> String {
  let names = ["P", "Q", "R"]
  var text = "extension Publisher {\n"
  for count in 2...4 {
    let added = Array(names.prefix(count - 1))
    let type = "Publishers.\(join.type)\(count == 2 ? "" : "\(count)")"
    let full = "\(type)<\(list(["Self"] + added))>"
    let parameters = count == 2 ? ["_ other: P"] : added.enumerated().map { "_ publisher\($0 + 1): \($1)" }
    let arguments = count == 2 ? ["other"] : added.indices.map { "publisher\($0 + 1)" }
    let failures = list(added.map { "\($0).Failure == Failure" })
    let inputs = list(["Output"] + added.map { "\($0).Output" })
    if count > 2 {
      text += """
          /// \(join.methodSummary) \(counts[count - 3]) others; see ``\(join.method)(_:)``.
          @inlinable
          public func \(join.method)<\(generics(added))>(\(list(parameters))) -> \(full) where \(failures) {
            \(type)(\(list(["self"] + arguments)))
          }


        """
    }
    text += """
        /// Transforms each group of values with a closure; see ``\(join.method)(_:)``.
        @inlinable
        public func \(join.method)<\(generics(added)), T>(
          \(list(parameters)), _ transform: @escaping (\(inputs)) -> T
        ) -> Publishers.Map<\(full), T> where \(failures) {
          \(type)(\(list(["self"] + arguments))).map { transform(\(list((0..<count).map { "$0.\($0)" }))) }
        }


      """
  }
  text += "}\n\n"
  for count in 2...4 {
    let parts = letters(count)
    let outputs = list(parts.map { "\($0.upper).Output" })
    let attach =
      """
            let machine = CombiningMachine<\(join.store)\(count)<\(outputs)>, Failure>(
              count: \(count), store: \(join.store)\(count)()\(join.prefetches ? ", prefetch: prefetch" : ""))
            let coordinator = Coordinator("\(join.type)", consume machine, downstream: downstream\(join.answersRequests ? ", answersRequests: true" : ""))

      """
      + parts.enumerated().map {
        "      coordinator.attach(to: \($1.lower), as: \($0)) { .\($1.lower)($0) }"
      }.joined(separator: "\n")
    text += shell(
      "\(join.type)\(count == 2 ? "" : "\(count)")", count, summary: join.typeSummary(counts[count - 2]),
      constraints: zip(parts, parts.dropFirst()).map { "\($0.upper).Failure == \($1.upper).Failure" },
      output: "(\(outputs))", outputSummary: "A tuple of one value of each publisher.", method: join.method,
      attach: join.prefetches ? "      attach(downstream, prefetch: nil)" : attach,
      more: join.prefetches ? prefetchingAttach(attach) : "")
    text += "\n"
  }
  return text
}

func prefetchingAttach(_ body: String) -> String {
  """

      /// Attaches a downstream, and requests `prefetch` values ahead from each publisher.
      @inlinable
      package func attach(_ downstream: consuming Downstream<Output, Failure>, prefetch: Int?) {
  \(body)
      }
  """
}

func eithers() -> String {
  var text = ""
  for count in 2...4 {
    text += """
      /// The input of one of \(counts[count - 2]) upstreams.
      @usableFromInline
      @frozen
      package enum Either\(count)<\(list(letters(count).map(\.upper)))> {
        case \(list(letters(count).map { "\($0.lower)(\($0.upper))" }))
      }


      """
  }
  return text
}

/// Returns a store for the values of `count` upstreams; the closures return the code for one of them.
func store(
  _ name: String, _ count: Int, summary: String, field: (String, String) -> String, extra: String = "",
  put: (String) -> String, afterPut: String = "", take: String, isExhausted: String
) -> String {
  let parts = letters(count)
  let all = list(parts.map(\.upper))
  return """
    /// \(summary) \(counts[count - 2]) upstreams\(name == "ZipStore" ? ", which are buffered until they form a group" : "").
    @usableFromInline
    struct \(name)\(count)<\(all)>: CombiningStorage {
    \(parts.map { "  @usableFromInline\n  var \(field($0.lower, $0.upper))\n" }.joined(separator: "\n"))
    \(extra)  @inlinable
      init() {}

      @inlinable
      mutating func put(_ input: Either\(count)<\(all)>) {
        switch input {
    \(parts.map { "    case .\($0.lower)(let value): \(put($0.lower))" }.joined(separator: "\n"))
        }
    \(afterPut)  }

      @inlinable
      mutating func take() -> (\(all))? {
    \(take)
        return (\(list(parts.map(\.lower))))
      }

      @inlinable
      func isExhausted(_ finished: UpstreamSet) -> Bool {
        \(isExhausted)
      }
    }


    """
}

func zipStores() -> String {
  (2...4).map { count in
    let parts = letters(count)
    return store(
      "ZipStore", count, summary: "The values of", field: { "\($0) = CircularBuffer<\($1)>()" },
      put: { "\($0).append(value)" },
      take: """
            guard \(list(parts.map { "!\($0.lower).isEmpty" })) else { return nil }
            guard \(list(parts.map { "let \($0.lower) = \($0.lower).popFirst()" })) else { return nil }
        """,
      isExhausted: parts.enumerated().map { "finished.contains(\($0)) && \($1.lower).isEmpty" }
        .joined(separator: " || "))
  }.joined()
}

func latestStores() -> String {
  (2...4).map { count in
    let parts = letters(count)
    return store(
      "LatestStore", count, summary: "The latest values of", field: { "\($0): \($1)?" },
      extra: """
          /// Whether a value has arrived since the last combination was taken.
          @usableFromInline
          var isFresh = false


        """, put: { "\($0) = value" }, afterPut: "    isFresh = true\n",
      take: """
            guard isFresh, \(list(parts.map { "let \($0.lower)" })) else { return nil }
            isFresh = false
        """,
      isExhausted: "finished.count == \(count) && !(isFresh && "
        + parts.map { "\($0.lower) != nil" }.joined(separator: " && ") + ")")
  }.joined()
}

// MARK: map, with key paths

func keyPaths() -> String {
  var text = ""
  for count in 2...3 {
    let numbers = 0..<count
    let paths = numbers.map { "keyPath\($0)" }
    let type = "Publishers.MapKeyPath\(count)"
    let example =
      """
        ///     source               -a   -b   -|
        ///     .map(\\.name, \\.age)  -'A3'-'B7'-|
        ///

      """
    text += """
      extension Publisher {
        /// Sends \(counts[count - 2]) properties of each value as a tuple.
        ///
      \(count == 2 ? example : "")  /// - Demand: forwarded unchanged.
        /// - Completion and cancellation: forwarded unchanged.
        /// - Threading: delivers on the thread on which the upstream delivers.
        @inlinable
        public func map<\(list(numbers.map { "T\($0)" }))>(
          \(list(numbers.map { "_ keyPath\($0): KeyPath<Output, T\($0)>" }))
        ) -> \(type)<\(list(["Self"] + numbers.map { "T\($0)" }))> {
          \(type)(\(list(["upstream: self"] + paths)))
        }
      }

      extension Publishers {
        /// A publisher of \(counts[count - 2]) properties of each of the upstream's values.
        @frozen
        public struct MapKeyPath\(count)<\(list(["Upstream: Publisher"] + numbers.map { "Output\($0)" }))>: _DirectPublisher {
          /// The properties.
          public typealias Output = (\(list(numbers.map { "Output\($0)" })))

          /// The upstream's failure type.
          public typealias Failure = Upstream.Failure

          /// The upstream publisher.
          public let upstream: Upstream

      \(numbers.map {
        "    /// The key path of one property of each value.\n    public let keyPath\($0): KeyPath<Upstream.Output, Output\($0)>\n"
      }.joined(separator: "\n"))
          @usableFromInline
          package let assemblySite = AssemblySite()

          @inlinable
          init(
            \(list(["upstream: Upstream"] + numbers.map { "_ keyPath\($0): KeyPath<Upstream.Output, Output\($0)>" }))
          ) {
            self.upstream = upstream
      \(paths.map { "      self.\($0) = \($0)" }.joined(separator: "\n"))
          }

          /// Attaches a downstream.
          @inlinable
          public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
            upstream.attach(
              Downstream.stateless("ValueForKeys", to: downstream) {
                [\(list(paths + ["next = downstream.next"]))] (value: Upstream.Output) in
                next((\(list(paths.map { "value[keyPath: \($0)]" }))))
              }.showing { [\(list(paths))] in [\(list(paths.map { "(\"\($0)\", \($0))" }))] })
          }
        }
      }


      """
  }
  return text
}

// MARK: Files

let zips = Join(
  type: "Zip", method: "zip", store: "ZipStore", methodSummary: "Groups the values of this publisher and",
  typeSummary: { "A publisher of the values of \($0) publishers, grouped by their order." },
  prefetches: true, answersRequests: true)

let latest = Join(
  type: "CombineLatest", method: "combineLatest", store: "LatestStore",
  methodSummary: "Combines the latest values of this publisher and",
  typeSummary: { "A publisher of the latest values of \($0) publishers." })

let files = [
  "MergeArities.swift": merges(),
  "ZipArities.swift": joins(zips) + zipStores(),
  "CombineLatestArities.swift": joins(latest) + latestStores(),
  "Either.swift": eithers(),
  "MapKeyPathArities.swift": keyPaths(),
]

let target = CommandLine.arguments[1]
for (name, text) in files {
  try "// Generated by .ci/arities: change that script.\n\n\(text)".write(
    toFile: "\(target)/\(name)", atomically: true, encoding: .utf8)
}
