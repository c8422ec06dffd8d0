/// What comes of each publisher of a trial behind each operator.
///
/// A row begins with the operator and what its subscriber receives of 1, 2, 3 and a completion. The lines below it are
/// the cells that differ from that, for a kind of publisher and a mode of the subscriber; without a mode they are all
/// three. Behind a bar stands what Combine does where it differs on purpose, as OpenCombine 0.14 shows it; "stops" ends
/// the program. Three rules are left out there:
///
/// - Weir delivers nothing after a completion, and nothing after a cancel. Behind operators with state Combine delivers
///   what a publisher sends then, and `first`, `reduce` and others complete although the subscriber has cancelled in
///   the last delivery.
/// - A publisher that keeps its subscriber weakly delivers nothing behind an operator, because no subscription keeps
///   the operator's subscriber. Combine's subscriptions do. (`keepsWeakly`)
/// - `prefix(0)` completes with its subscription. In OpenCombine it completes with the first value.
struct TrialTable {
  struct Row {
    /// What the subscriber receives unless an exception says otherwise.
    let usual: String

    /// By the kind, or by the kind and the mode.
    var exceptions: [String: String] = [:]

    func expected(_ kind: TrialPublisher.Kind, _ mode: TrialOperator.Mode) -> String {
      if let exception = exceptions["\(kind) \(mode)"] ?? exceptions["\(kind)"] { return exception }
      switch kind {
      case .keepsWeakly: return usual.hasPrefix("S") ? "S" : ""
      case .neverSubscribes, .neverSubscribesInside: return ""
      default: return mode == .cancels ? upToFirstValue : usual
      }
    }

    private var upToFirstValue: String {
      let events = usual.split(separator: " ")
      let end = events.firstIndex { $0 != "S" } ?? events.endIndex - 1
      return events[...end].joined(separator: " ")
    }
  }

  /// The rows by operator.
  static let rows: [String: Row] = {
    var rows: [String: Row] = [:]
    var name = ""
    for line in text.split(separator: "\n") {
      let isException = line.hasPrefix("  ")
      let colon = line.lastIndex(of: ":") ?? line.endIndex
      let (head, tail) = (line[..<colon], line[colon...].dropFirst())
      let events = tail.prefix { $0 != "|" }.split(separator: " ").joined(separator: " ")
      if !isException {
        // A name may have a colon of its own.
        name = String(head)
        rows[name] = Row(usual: events)
        continue
      }
      let parts = head.split(separator: ",").map { $0.split(separator: " ") }
      for kind in parts[0] {
        if parts.count == 1 { rows[name]?.exceptions["\(kind)"] = events }
        for mode in parts.dropFirst().joined() { rows[name]?.exceptions["\(kind) \(mode)"] = events }
      }
    }
    return rows
  }()

  private static let text = """
    no operator: S 1 2 3 .
      neverSubscribes neverSubscribesInside: 1 2 3 .
      twoSubscriptions, all one: S 1 S 2 3 .
      twoSubscriptions, cancels: S 1 S
      endsTwice, all one: S 1 2 3 . .
      sendsAfterEnd, all one: S 1 2 3 . 4 !oops
      ignoresReturned, one: S 1
      keepsWeakly, all one: S 1 2 3 .
      keepsWeakly, cancels: S 1
      empty cancelDoesNothing, cancels: S 1 2 3 .
      cancelSends, cancels: S 1 9 . 2 3 .
    eraseToAnyPublisher: S 1 2 3 .
      neverSubscribes neverSubscribesInside: 1 2 3 .
      twoSubscriptions, all one: S 1 S 2 3 .
      twoSubscriptions, cancels: S 1 S
      endsTwice, all one: S 1 2 3 . .
      sendsAfterEnd, all one: S 1 2 3 . 4 !oops
      ignoresReturned, one: S 1
      empty cancelDoesNothing, cancels: S 1 2 3 .
      cancelSends, cancels: S 1 9 . 2 3 .
    map: S 2 4 6 .
      neverSubscribes neverSubscribesInside: 2 4 6 .
      twoSubscriptions, all one: S 2 S 4 6 .
      twoSubscriptions, cancels: S 2 S
      endsTwice, all one: S 2 4 6 . .
      sendsAfterEnd, all one: S 2 4 6 . 8 !oops
      ignoresReturned, one: S 2
      empty cancelDoesNothing, cancels: S 2 4 6 .
      cancelSends, cancels: S 2 18 . 4 6 .
    map to a key path: S 1 2 3 .
      neverSubscribes neverSubscribesInside: 1 2 3 .
      twoSubscriptions, all one: S 1 S 2 3 .
      twoSubscriptions, cancels: S 1 S
      endsTwice, all one: S 1 2 3 . .
      sendsAfterEnd, all one: S 1 2 3 . 4 !oops
      ignoresReturned, one: S 1
      empty cancelDoesNothing, cancels: S 1 2 3 .
      cancelSends, cancels: S 1 9 . 2 3 .
    tryMap: S 2 4 6 .
      neverSubscribes neverSubscribesInside: 2 4 6
      twoSubscriptions, all one: S 2 -S 4 6 .
      twoSubscriptions, cancels: S 2 -S
      ignoresReturned, one: S 2
    tryMap that throws: S 1 !other
      neverSubscribes neverSubscribesInside: 1 !other
      twoSubscriptions, all one: S 1 -S !other
      twoSubscriptions, cancels: S 1 -S
      ignoresReturned, one: S 1
      cancelSends, all one: S 1 !other | S 1 9 !other 3
    compactMap: S 1 3 .
      neverSubscribes neverSubscribesInside: 1 3 .
      twoSubscriptions, all one: S 1 S 3 .
      twoSubscriptions, cancels: S 1 S
      endsTwice, all one: S 1 3 . .
      sendsAfterEnd, all one: S 1 3 . 4 !oops
      ignoresReturned, one: S 1
      empty cancelDoesNothing, cancels: S 1 3 .
      cancelSends, cancels: S 1 9 . 3 .
    tryCompactMap: S 1 3 .
      twoSubscriptions, all one: S 1 -S 3 .
      twoSubscriptions, cancels: S 1 -S
      ignoresReturned, one: S 1
    mapError: S 1 2 3 .
      neverSubscribes neverSubscribesInside: 1 2 3 .
      twoSubscriptions, all one: S 1 S 2 3 .
      twoSubscriptions, cancels: S 1 S
      endsTwice, all one: S 1 2 3 . .
      sendsAfterEnd, all one: S 1 2 3 . 4 !other
      ignoresReturned, one: S 1
      empty cancelDoesNothing, cancels: S 1 2 3 .
      cancelSends, cancels: S 1 9 . 2 3 .
    replaceNil: S 1 0 3 .
      neverSubscribes neverSubscribesInside: 1 0 3 .
      twoSubscriptions, all one: S 1 S 0 3 .
      twoSubscriptions, cancels: S 1 S
      endsTwice, all one: S 1 0 3 . .
      sendsAfterEnd, all one: S 1 0 3 . 4 !oops
      ignoresReturned, one: S 1
      empty cancelDoesNothing, cancels: S 1 0 3 .
      cancelSends, cancels: S 1 9 . 0 3 .
    replaceEmpty: S 1 2 3 .
      twoSubscriptions, all one: S 1 -S 2 3 .
      twoSubscriptions, cancels: S 1 -S
    filter, replaceEmpty: S 0 .
      twoSubscriptions, all one: S -S 0 .
      twoSubscriptions, cancels: S -S 0
      ignoresReturned, one: S | S 0 .
    replaceError: S 1 2 3 .
      twoSubscriptions, all one: S 1 -S 2 3 .
      twoSubscriptions, cancels: S 1 -S
      ignoresReturned, one: S 1
    setFailureType: S 1 2 3 .
      twoSubscriptions, all one: S 1 -S 2 3 .
      twoSubscriptions, cancels: S 1 -S
      ignoresReturned, one: S 1
    scan: S 1 3 6 .
      neverSubscribes neverSubscribesInside: 1 3 6 .
      twoSubscriptions, all one: S 1 S 3 6 .
      twoSubscriptions, cancels: S 1 S
      endsTwice, all one: S 1 3 6 . .
      sendsAfterEnd, all one: S 1 3 6 . 10 !oops
      ignoresReturned, one: S 1
      empty cancelDoesNothing, cancels: S 1 3 6 .
      cancelSends, cancels: S 1 10 . 12 15 .
    tryScan: S 1 3 6 .
      neverSubscribes neverSubscribesInside: 1 3 6
      twoSubscriptions, all one: S 1 -S 3 6 .
      twoSubscriptions, cancels: S 1 -S
      ignoresReturned, one: S 1
    handleEvents: S 1 2 3 .
      neverSubscribes neverSubscribesInside: 1 2 3 .
      twoSubscriptions, all one: S 1 -S 2 3 .
      twoSubscriptions, cancels: S 1 -S
      ignoresReturned, one: S 1
    print: S 1 2 3 .
      neverSubscribes neverSubscribesInside: 1 2 3 .
      twoSubscriptions, all one: S 1 -S 2 3 .
      twoSubscriptions, cancels: S 1 -S
      ignoresReturned, one: S 1
    breakpoint: S 1 2 3 .
      neverSubscribes neverSubscribesInside: 1 2 3 .
      twoSubscriptions, all one: S 1 S 2 3 .
      twoSubscriptions, cancels: S 1 S
      endsTwice, all one: S 1 2 3 . .
      sendsAfterEnd, all one: S 1 2 3 . 4 !oops
      ignoresReturned, one: S 1
      empty cancelDoesNothing, cancels: S 1 2 3 .
      cancelSends, cancels: S 1 9 . 2 3 .
    encode: S 1 2 3 .
      neverSubscribes neverSubscribesInside: 1 2 3 .
      twoSubscriptions, all one: S 1 -S 2 3 .
      twoSubscriptions, cancels: S 1 -S
      ignoresReturned, one: S 1
    decode: S 1 2 3 .
      neverSubscribes neverSubscribesInside: 1 2 3 .
      twoSubscriptions, all one: S 1 -S 2 3 .
      twoSubscriptions, cancels: S 1 -S
      ignoresReturned, one: S 1
    measureInterval: S 0 0 0 .
      twoSubscriptions, all one: S 0 -S 0 0 .
      twoSubscriptions, cancels: S 0 -S
    filter: S 1 3 .
      neverSubscribes neverSubscribesInside: 1 3 .
      twoSubscriptions, all one: S 1 S 3 .
      twoSubscriptions, cancels: S 1 S
      endsTwice, all one: S 1 3 . .
      sendsAfterEnd, all one: S 1 3 . 4 !oops
      ignoresReturned, one: S 1
      empty cancelDoesNothing, cancels: S 1 3 .
      cancelSends, cancels: S 1 9 . 3 .
    tryFilter: S 1 3 .
      twoSubscriptions, all one: S 1 -S 3 .
      twoSubscriptions, cancels: S 1 -S
      ignoresReturned, one: S 1
    removeDuplicates: S 1 2 3 .
      twoSubscriptions, all one: S 1 -S 2 3 .
      twoSubscriptions, cancels: S 1 -S
      ignoresReturned, one: S 1
    tryRemoveDuplicates: S 1 2 3 .
      twoSubscriptions, all one: S 1 -S 2 3 .
      twoSubscriptions, cancels: S 1 -S
      ignoresReturned, one: S 1
    prefix(2): S 1 2 .
      neverSubscribes neverSubscribesInside: 1 2
      twoSubscriptions, all one: S 1 -S 2 .
      twoSubscriptions, cancels: S 1 -S
      ignoresReturned, one: S 1
    prefix(0): S .
      keepsWeakly: S .
    prefix(while:): S 1 .
      twoSubscriptions, all one: S 1 -S .
      twoSubscriptions, cancels: S 1 -S
      ignoresReturned, one: S 1
    tryPrefix(while:): S 1 .
      twoSubscriptions, all one: S 1 -S .
      twoSubscriptions, cancels: S 1 -S
      ignoresReturned, one: S 1
    dropFirst: S 2 3 .
      neverSubscribes neverSubscribesInside, all one: S 2 3 .
      neverSubscribes neverSubscribesInside, cancels: S 2
      twoSubscriptions, all one: S -S 2 3 .
      twoSubscriptions, cancels: S -S 2
      ignoresReturned, one: S 2
    drop(while:): S 2 3 .
      twoSubscriptions, all one: S -S 2 3 .
      twoSubscriptions, cancels: S -S 2
      ignoresReturned, one: S
    tryDrop(while:): S 2 3 .
      twoSubscriptions, all one: S -S 2 3 .
      twoSubscriptions, cancels: S -S 2
      ignoresReturned, one: S
    output(at:): S 2 .
      neverSubscribes neverSubscribesInside: 2
      twoSubscriptions, all one: S -S 2 .
      twoSubscriptions, cancels: S -S 2
      ignoresReturned, one: S
    output(in:): S 2 3 .
      neverSubscribes neverSubscribesInside: 2 3
      twoSubscriptions, all one: S -S 2 3 .
      twoSubscriptions, cancels: S -S 2
      ignoresReturned, one: S
    first: S 1 .
      twoSubscriptions, all one: S 1 . -S
      twoSubscriptions, cancels: S 1 -S | S 1 . -S
    first(where:): S 2 .
      twoSubscriptions, all one: S -S 2 .
      twoSubscriptions, cancels: S -S 2
    tryFirst(where:): S 2 .
      twoSubscriptions, all one: S -S 2 .
      twoSubscriptions, cancels: S -S 2
    last: S 3 .
      twoSubscriptions, all one: S -S 3 .
      twoSubscriptions, cancels: S -S 3
    last(where:): S 2 .
      twoSubscriptions, all one: S -S 2 .
      twoSubscriptions, cancels: S -S 2
    tryLast(where:): S 2 .
      twoSubscriptions, all one: S -S 2 .
      twoSubscriptions, cancels: S -S 2
    ignoreOutput: S .
      neverSubscribes neverSubscribesInside: .
      twoSubscriptions: S S .
      endsTwice: S . .
      sendsAfterEnd: S . !oops
    count: S 3 .
      twoSubscriptions, all one: S -S 3 .
      twoSubscriptions, cancels: S -S 3
    max: S 3 .
      twoSubscriptions, all one: S -S 3 .
      twoSubscriptions, cancels: S -S 3
    tryMax: S 3 .
      twoSubscriptions, all one: S -S 3 .
      twoSubscriptions, cancels: S -S 3
    contains: S true .
      twoSubscriptions, all one: S -S true .
      twoSubscriptions, cancels: S -S true
    contains(where:): S true .
      twoSubscriptions, all one: S -S true .
      twoSubscriptions, cancels: S -S true
    tryContains(where:): S true .
      twoSubscriptions, all one: S -S true .
      twoSubscriptions, cancels: S -S true
    allSatisfy: S false .
      twoSubscriptions, all one: S -S false .
      twoSubscriptions, cancels: S -S false
    tryAllSatisfy: S false .
      twoSubscriptions, all one: S -S false .
      twoSubscriptions, cancels: S -S false
    reduce: S 6 .
      twoSubscriptions, all one: S -S 6 .
      twoSubscriptions, cancels: S -S 6
    tryReduce: S 6 .
      twoSubscriptions, all one: S -S 6 .
      twoSubscriptions, cancels: S -S 6
    collect: S [1,2,3] .
      twoSubscriptions, all one: S -S [1,2,3] .
      twoSubscriptions, cancels: S -S [1,2,3]
    collect(2): S [1,2] [3] .
      neverSubscribes neverSubscribesInside: .
      twoSubscriptions, all one: S -S [1,2] [3] .
      twoSubscriptions, cancels: S -S [1,2]
      ignoresReturned, one: S [1,2]
    buffer, kept full: S 1 2 3 .
      twoSubscriptions, all one: S 1 -S 2 3 .
      twoSubscriptions, cancels: S 1 -S
    buffer, by request: S 2 3 .
      ignoresDemand endsTwice sendsAfterEnd empty cancelDoesNothing cancelSends ownSubject, all one: S 1 2 3 .
      ignoresDemand endsTwice sendsAfterEnd empty cancelDoesNothing cancelSends ownSubject, cancels: S 1
      twoSubscriptions, all one: S 1 -S 2 3 .
      twoSubscriptions, cancels: S 1 -S
    append: S 1 2 3 7 .
      twoSubscriptions, all one: S 1 -S 2 3 7 .
      twoSubscriptions, cancels: S 1 -S
      ignoresReturned, one: S 1
    prepend: S 7 1 2 3 .
      neverSubscribes neverSubscribesInside keepsWeakly: S 7
      twoSubscriptions, all one: S 7 1 -S 2 3 .
      ignoresReturned, one: S 7 1
    append it: S 0 1 2 3 .
      neverSubscribes neverSubscribesInside keepsWeakly: S 0
      twoSubscriptions, all one: S 0 1 -S 2 3 .
      ignoresReturned, one: S 0 1
    catch: S 1 2 3 .
      twoSubscriptions, all one: S 1 -S 2 3 .
      twoSubscriptions, cancels: S 1 -S
      ignoresReturned, one: S 1
    catch to it: S 1 2 3 .
      neverSubscribes neverSubscribesInside: S | S 1 2 3
      twoSubscriptions, all one: S 1 -S 2 3 .
      twoSubscriptions, cancels: S 1 -S
      ignoresReturned, one: S 1
    tryCatch: S 1 2 3 .
      twoSubscriptions, all one: S 1 -S 2 3 .
      twoSubscriptions, cancels: S 1 -S
      ignoresReturned, one: S 1
    retry: S 1 2 3 .
      neverSubscribes neverSubscribesInside: . | stops
      twoSubscriptions, all one: S 1 -S 2 3 .
      twoSubscriptions, cancels: S 1 -S
    flatMap: S 1 2 3 .
      neverSubscribes neverSubscribesInside, all one: S 1 2 3 .
      neverSubscribes neverSubscribesInside, cancels: S 1
      twoSubscriptions, all one: S 1 -S 2 3 .
      twoSubscriptions, cancels: S 1 -S
    flatMap to it: S 1 2 3 .
      neverSubscribes neverSubscribesInside, all one: S 1 2 3 . | S 1 2 3
      neverSubscribes neverSubscribesInside, cancels: S 1
      twoSubscriptions, all one: S 1 -S 2 3 . | S 1 2 3
      twoSubscriptions, cancels: S 1 -S | S 1
      ignoresReturned, one: S 1
    flatMap to it, one at a time: S 1 2 3 1 2 3 .
      neverSubscribes neverSubscribesInside, all one: S 1 2 3 1 2 3 . | S 1 2 3 1 2 3
      neverSubscribes neverSubscribesInside, cancels: S 1
      twoSubscriptions, all one: S 1 -S 2 3 1 -S 2 3 . | S 1 2 3 1 2 3
      twoSubscriptions, cancels: S 1 -S | S 1
      sendsAfterEnd, all one: S 1 2 3 1 2 3 . | S 1 2 3 1 2 3 4 !oops 4
      ignoresReturned, one: S 1
      ownSubject, all one: S 1 2 3
    switchToLatest: S 1 2 3 .
      neverSubscribes neverSubscribesInside, all one: S 1 2 3 .
      neverSubscribes neverSubscribesInside, cancels: S 1
      twoSubscriptions, all one: S 1 -S 2 3 .
      twoSubscriptions, cancels: S 1 -S
    switchToLatest of it: S 1 2 3 .
      neverSubscribes neverSubscribesInside, all one: S 1 2 3 . | stops
      neverSubscribes neverSubscribesInside, cancels: S 1
      twoSubscriptions, all one: S 1 -S 2 3 .
      twoSubscriptions, cancels: S 1 -S
      ignoresReturned, one: S 1
    merge: S 1 2 3 .
      neverSubscribes neverSubscribesInside, all one: S 1 2 3 .
      neverSubscribes neverSubscribesInside, cancels: S 1
      twoSubscriptions, all one: S 1 -S 2 3 .
      twoSubscriptions, cancels: S 1 -S
      ignoresReturned, one: S 1
    combineLatest: S (3,0) .
      keepsRules, one: S (1,0) (2,0) (3,0) .
      twoSubscriptions, all one: S (1,0) -S (2,0) (3,0) .
      twoSubscriptions, cancels: S (1,0) -S
      endsTwice sendsAfterEnd empty cancelDoesNothing cancelSends ownSubject, all one: S (1,0) (2,0) (3,0) .
      endsTwice sendsAfterEnd empty cancelDoesNothing cancelSends ownSubject, cancels: S (1,0)
      ignoresReturned, one: S (1,0) (2,0)
    zip: S (1,1) (2,2) (3,3) .
      keepsRules endsTwice ignoresReturned empty cancelDoesNothing cancelSends ownSubject, one: S (1,1) (2,2) (3,3) . | S (1,1)
      ignoresDemand, all one: S (1,1) (2,2) (3,3) . | . S (1,1) (2,2) (3,3) .
      ignoresDemand, cancels: S (1,1) | . S (1,1)
      neverSubscribesInside, all one:  | . S (1,1) (2,2) (3,3) .
      twoSubscriptions, all: S (1,1) -S (2,2) (3,3) .
      twoSubscriptions, one: S (1,1) -S (2,2) (3,3) . | S (1,1) -S
      twoSubscriptions, cancels: S (1,1) -S | S (1,1) S
      sendsAfterEnd, one: S (1,1) (2,2) (3,3) . | S (1,1) !oops
      cancelSends, cancels: S (1,1) | stops
    prefix(untilOutputFrom:): S 1 2 3 .
      twoSubscriptions, all one: S 1 -S 2 3 .
      twoSubscriptions, cancels: S 1 -S
      ignoresReturned, one: S 1
    prefix(untilOutputFrom: it): S .
      keepsRules ignoresDemand ignoresReturned: S . | .
      neverSubscribes neverSubscribesInside: S
      twoSubscriptions: S . -S
    drop(untilOutputFrom:): S 1 2 3 .
      neverSubscribes neverSubscribesInside, all one: S 1 2 3 .
      neverSubscribes neverSubscribesInside, cancels: S 1
      twoSubscriptions, all one: S 1 -S 2 3 .
      twoSubscriptions, cancels: S 1 -S
      ignoresReturned, one: S 1
    drop(untilOutputFrom: it): S
      neverSubscribes neverSubscribesInside: S
      twoSubscriptions: S -S | S
    share: S 1 2 3 .
      neverSubscribes neverSubscribesInside: S
      twoSubscriptions, all one: S 1 -S 2 3 . | S 1 2 3 .
      twoSubscriptions, cancels: S 1 -S | S 1
    multicast, autoconnect: S 1 2 3 .
      neverSubscribes neverSubscribesInside: S
      twoSubscriptions, all one: S 1 -S 2 3 . | S 1 2 3 .
      twoSubscriptions, cancels: S 1 -S | S 1
    makeConnectable, autoconnect: S 1 2 3 .
      neverSubscribes neverSubscribesInside: S
      twoSubscriptions, all one: S 1 -S 2 3 .
      twoSubscriptions, cancels: S 1 -S
    receive(on:): S 1 2 3 .
      twoSubscriptions, all one: S 1 -S 2 3 .
      twoSubscriptions, cancels: S 1 -S
    subscribe(on:): S 1 2 3 .
      keepsRules ignoresReturned, cancels: S 1 | stops
      twoSubscriptions, all one: S 1 -S 2 3 .
      twoSubscriptions, cancels: S 1 -S
      ignoresReturned, one: S 1
    delay: S 1 2 3 .
      twoSubscriptions, all one: S 1 -S 2 3 .
      twoSubscriptions, cancels: S 1 -S
    debounce: S 1 2 3 .
      twoSubscriptions, all one: S 1 -S 2 3 .
      twoSubscriptions, cancels: S 1 -S
    throttle: S 1 2 3 .
      keepsRules ignoresReturned, all one: S 1 2 3 . | . S
      keepsRules ignoresReturned, cancels: S 1 | . S
      twoSubscriptions, all one: S 1 -S 2 3 .
      twoSubscriptions, cancels: S 1 -S
    collect by time or count: S [1,2] [3] .
      twoSubscriptions, all one: S -S [1,2] [3] .
      twoSubscriptions, cancels: S -S [1,2]
    sink: 1 2 3 .
      keepsRules ignoresDemand ignoresReturned, cancels: 1 2 3 .
      neverSubscribes, all one: 1 2 3 .
      neverSubscribes, cancels: 1
      neverSubscribesInside: 1 2 3 .
      twoSubscriptions, all one: 1 -S 2 3 .
      twoSubscriptions, cancels: 1 -S
    assign: 1 2 3
      keepsRules ignoresDemand endsTwice sendsAfterEnd ignoresReturned empty cancelDoesNothing cancelSends ownSubject, cancels: 1 2 3
      twoSubscriptions: 1 -S 2 3
    subscribe a subject: S 1 2 3 .
      neverSubscribes neverSubscribesInside: S
      twoSubscriptions, all one: S 1 -S 2 3 . | S 1 2 3 .
      twoSubscriptions, cancels: S 1 -S | S 1
    """
}
