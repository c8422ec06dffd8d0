// The table of the operators that have state and one upstream, and run user code. Operators whose state is numbers
// (`count`, `dropFirst`, `enumerated`) run no user code, and operators without state have nothing to protect.

import Weir
import WeirRx

// MARK: Values that are compared with earlier ones

package var filters: [Entry] {
  [
    Entry("removeDuplicates", [.equality, .release]) { source, _ in source.removeDuplicates().eraseToAnyPublisher() },
    Entry("removeDuplicates(by:)", [.closure]) { source, hook in
      source.removeDuplicates { (last: Token, new: Token) -> Bool in
        hook.reach(.closure)
        return last.number == new.number
      }.eraseToAnyPublisher()
    },
    Entry("distinct", [.hash, .equality]) { source, _ in source.distinct().eraseToAnyPublisher() },
    Entry("distinct(by:)", [.closure]) { source, hook in
      source.distinct { (token: Token) -> Int in
        hook.reach(.closure)
        return token.number
      }.eraseToAnyPublisher()
    },
    Entry("pairwise", [.release]) { source, _ in source.pairwise().eraseToAnyPublisher() },
    Entry("nwise", [.release]) { source, _ in source.nwise(2).eraseToAnyPublisher() },
    Entry("drop(while:)", [.closure]) { source, hook in
      source.drop { (token: Token) -> Bool in
        hook.reach(.closure)
        return token.number != 4
      }.eraseToAnyPublisher()
    },
    Entry("prefix(while:)", [.closure, .cancel]) { source, hook in
      source.prefix { (token: Token) -> Bool in
        hook.reach(.closure)
        return token.number != 4
      }.eraseToAnyPublisher()
    },
  ]
}

// MARK: Values that are combined

package var folds: [Entry] {
  [
    Entry("scan", [.closure], .passesSubscriptionOn) { source, hook in
      source.scan([]) { (tokens: [Token], token: Token) -> [Token] in
        hook.reach(.closure)
        return tokens + [token]
      }.eraseToAnyPublisher()
    },
    Entry("scan", [.release], .passesSubscriptionOn) { source, hook in
      source.scan(hook.token(0)) { (_: Token, token: Token) -> Token in token }.eraseToAnyPublisher()
    },
    Entry("reduce", [.closure]) { source, hook in
      source.reduce([]) { (tokens: [Token], token: Token) -> [Token] in
        hook.reach(.closure)
        return tokens + [token]
      }.eraseToAnyPublisher()
    },
    Entry("reduce", [.release]) { source, hook in
      source.reduce(hook.token(0)) { (_: Token, token: Token) -> Token in token }.eraseToAnyPublisher()
    },
    Entry("max", [.order, .release]) { source, _ in source.max().eraseToAnyPublisher() },
    Entry("min", [.order]) { source, _ in source.min().eraseToAnyPublisher() },
    Entry("max(by:)", [.closure]) { source, hook in
      source.max { (lhs: Token, rhs: Token) -> Bool in
        hook.reach(.closure)
        return lhs.number < rhs.number
      }.eraseToAnyPublisher()
    },
    Entry("collect", [.release]) { source, _ in source.collect().eraseToAnyPublisher() },
    Entry("collect(_:)", [.release]) { source, _ in source.collect(2).eraseToAnyPublisher() },
    Entry("replaceEmpty", [.release]) { source, hook in
      alone { source.replaceEmpty(with: hook.token(0)).eraseToAnyPublisher() }
    },
    Entry("replaceError", [.release]) { source, hook in
      alone { source.replaceError(with: hook.token(0)).eraseToAnyPublisher() }
    },
  ]
}

// MARK: Values that are searched for

package var searches: [Entry] {
  [
    Entry("first", [.cancel]) { source, _ in source.first().eraseToAnyPublisher() },
    Entry("prefix", [.cancel]) { source, _ in source.prefix(2).eraseToAnyPublisher() },
    Entry("output(in:)", [.cancel]) { source, _ in source.output(in: 1...2).eraseToAnyPublisher() },
    Entry("first(where:)", [.closure, .cancel]) { source, hook in
      source.first { (token: Token) -> Bool in
        hook.reach(.closure)
        return token.number > 3
      }.eraseToAnyPublisher()
    },
    Entry("last", [.release]) { source, _ in source.last().eraseToAnyPublisher() },
    Entry("last(where:)", [.closure, .release]) { source, hook in
      source.last { (token: Token) -> Bool in
        hook.reach(.closure)
        return token.number < 10
      }.eraseToAnyPublisher()
    },
    Entry("contains", [.equality, .cancel]) { source, hook in
      source.contains(hook.token(4)).eraseToAnyPublisher()
    },
    Entry("contains(where:)", [.closure]) { source, hook in
      source.contains { (token: Token) -> Bool in
        hook.reach(.closure)
        return token.number < 0
      }.eraseToAnyPublisher()
    },
    Entry("allSatisfy", [.closure, .cancel]) { source, hook in
      source.allSatisfy { (token: Token) -> Bool in
        hook.reach(.closure)
        return token.number < 4
      }.eraseToAnyPublisher()
    },
  ]
}

// MARK: Closures that may throw

package var throwing: [Entry] {
  [
    Entry("tryMap", [.closure]) { source, hook in
      source.tryMap { (token: Token) throws -> Token in
        hook.reach(.closure)
        return token
      }.eraseToAnyPublisher()
    },
    Entry("tryMap-that-throws", [.closure, .cancel]) { source, hook in
      source.tryMap { (token: Token) throws -> Token in
        hook.reach(.closure)
        if token.number == 4 { throw Oops() }
        return token
      }.eraseToAnyPublisher()
    },
    Entry("tryFilter", [.closure]) { source, hook in
      source.tryFilter { (token: Token) throws -> Bool in
        hook.reach(.closure)
        return token.number != 4
      }.eraseToAnyPublisher()
    },
    Entry("tryCompactMap", [.closure]) { source, hook in
      source.tryCompactMap { (token: Token) throws -> Token? in
        hook.reach(.closure)
        return token.number == 4 ? nil : token
      }.eraseToAnyPublisher()
    },
    Entry("tryRemoveDuplicates", [.closure, .release]) { source, hook in
      source.tryRemoveDuplicates { (last: Token, new: Token) throws -> Bool in
        hook.reach(.closure)
        return last.number == new.number
      }.eraseToAnyPublisher()
    },
    Entry("tryScan", [.closure]) { source, hook in
      source.tryScan([]) { (tokens: [Token], token: Token) throws -> [Token] in
        hook.reach(.closure)
        return tokens + [token]
      }.eraseToAnyPublisher()
    },
    Entry("tryScan", [.release]) { source, hook in
      source.tryScan(hook.token(0)) { (_: Token, token: Token) throws -> Token in token }.eraseToAnyPublisher()
    },
    Entry("tryReduce", [.closure]) { source, hook in
      source.tryReduce([]) { (tokens: [Token], token: Token) throws -> [Token] in
        hook.reach(.closure)
        return tokens + [token]
      }.eraseToAnyPublisher()
    },
    Entry("tryMax", [.closure]) { source, hook in
      source.tryMax { (lhs: Token, rhs: Token) throws -> Bool in
        hook.reach(.closure)
        return lhs.number < rhs.number
      }.eraseToAnyPublisher()
    },
    Entry("tryDrop(while:)", [.closure]) { source, hook in
      source.tryDrop { (token: Token) throws -> Bool in
        hook.reach(.closure)
        return token.number != 4
      }.eraseToAnyPublisher()
    },
    Entry("tryPrefix(while:)", [.closure]) { source, hook in
      source.tryPrefix { (token: Token) throws -> Bool in
        hook.reach(.closure)
        return token.number != 4
      }.eraseToAnyPublisher()
    },
    Entry("tryFirst(where:)", [.closure]) { source, hook in
      source.tryFirst { (token: Token) throws -> Bool in
        hook.reach(.closure)
        return token.number > 3
      }.eraseToAnyPublisher()
    },
    Entry("tryLast(where:)", [.closure, .release]) { source, hook in
      source.tryLast { (token: Token) throws -> Bool in
        hook.reach(.closure)
        return token.number < 10
      }.eraseToAnyPublisher()
    },
    Entry("tryContains(where:)", [.closure]) { source, hook in
      source.tryContains { (token: Token) throws -> Bool in
        hook.reach(.closure)
        return token.number < 0
      }.eraseToAnyPublisher()
    },
    Entry("tryAllSatisfy", [.closure]) { source, hook in
      source.tryAllSatisfy { (token: Token) throws -> Bool in
        hook.reach(.closure)
        return token.number < 4
      }.eraseToAnyPublisher()
    },
  ]
}
