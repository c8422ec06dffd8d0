import Testing
import Weir

@testable import TestSupport
@testable import WeirRx

/// No other test binds the sides of these tests, so their groups may be read without the lock.
@Suite("The groups of bindings")
struct BindingGroupTests {
  private final class Side {}

  private struct Weakly {
    weak var group: BindingGroup?

    init(_ group: BindingGroup) {
      self.group = group
    }
  }

  /// Sides that are bound to one another, until ``leave()``.
  private final class Sides {
    let sides: [Side]
    private(set) var pairs: [(one: Int, other: Int, group: BindingGroup)] = []

    init(_ count: Int) {
      sides = (0..<count).map { _ in Side() }
    }

    @discardableResult
    func join(_ one: Int, _ other: Int) -> BindingGroup {
      let group = BindingGroup.join(ObjectIdentifier(sides[one]), ObjectIdentifier(sides[other]))
      pairs.append((one, other, group))
      return group
    }

    /// Joins groups to one with a rank, and returns the first of them, which has the longest path to the root.
    @discardableResult
    func join(rank: Int, from side: Int) -> BindingGroup {
      if rank == 0 { return join(side, side + 1) }
      let first = join(rank: rank - 1, from: side)
      let middle = side + 1 << rank
      join(rank: rank - 1, from: middle)
      join(middle, side)
      return first
    }

    func leave(_ index: Int) {
      let pair = pairs.remove(at: index)
      BindingGroup.leave(ObjectIdentifier(sides[pair.one]), ObjectIdentifier(sides[pair.other]))
    }

    func leave() {
      while let last = pairs.indices.last { leave(last) }
    }
  }

  @Test("the groups of closed forms are deallocated, and the path to the root stays short", arguments: [true, false])
  func closedForms(_ modelIsLast: Bool) {
    let (model, store) = (Side(), Side())
    let (modelID, storeID) = (ObjectIdentifier(model), ObjectIdentifier(store))
    let live = BindingGroup.join(modelID, storeID)
    var groups: [Weakly] = []
    for _ in 1...1000 {
      let (label, field) = (Side(), Side())
      let (labelID, fieldID) = (ObjectIdentifier(label), ObjectIdentifier(field))
      let pairs = [(labelID, fieldID), modelIsLast ? (fieldID, modelID) : (modelID, fieldID)]
      for pair in pairs { groups.append(Weakly(BindingGroup.join(pair.0, pair.1))) }
      for pair in pairs { BindingGroup.leave(pair.0, pair.1) }
      withExtendedLifetime((label, field)) {}
    }
    #expect(path(from: live).count <= 2)
    // The group of the first form can contain that of the model, and then lives as long.
    #expect(living(groups).subtracting([ObjectIdentifier(live)]).count <= 1)
    BindingGroup.leave(modelID, storeID)
  }

  @Test("a search for the root shortens the path and deallocates the groups in between")
  func compression() {
    let sides = Sides(64)
    let first = sides.join(rank: 5, from: 0)
    #expect(path(from: first).count == 6)
    let groups = sides.pairs.map { Weakly($0.group) }
    sides.leave()
    #expect(living(groups).count == 6)
    first.propagate {}
    #expect(path(from: first).count == 2)
    #expect(living(groups) == Set(path(from: first).map { ObjectIdentifier($0) }))
  }

  @Test("bindings that share sides have one group, also after others are cancelled", arguments: 1...5)
  func connected(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    let sides = Sides(24)
    for _ in 1...200 {
      // Sides with odd numbers are never bound to those with even ones.
      let (one, other) = (Int.random(in: 0..<24, using: &random), Int.random(in: 0..<12, using: &random))
      sides.join(one, one % 2 + 2 * other)
      if sides.pairs.count > 16 { sides.leave(Int.random(in: sides.pairs.indices, using: &random)) }
      for (first, second) in zip(sides.pairs, sides.pairs.dropFirst()) where first.one % 2 != second.one % 2 {
        #expect(root(of: first.group) !== root(of: second.group))
      }
      for first in sides.pairs {
        for second in sides.pairs where [second.one, second.other].contains(first.one) {
          #expect(root(of: first.group) === root(of: second.group))
        }
      }
    }
    sides.leave()
  }

  @Test("a thread that propagates in one of two groups continues in both after their merge", arguments: 0...2)
  func mergeWhilePropagating(_ rank: Int) {
    let sides = Sides(12)
    let group = sides.join(rank: 1, from: 0)
    let other = sides.join(rank: rank, from: 4)
    var events: [String] = []
    group.propagate {
      onAnotherThread { group.propagate { events.append("of the group") } }
      onAnotherThread { sides.join(0, 4) }
      onAnotherThread { other.propagate { events.append("of the other") } }
      events.append("first")
    }
    #expect(events == ["first", "of the group", "of the other"])
    sides.leave()
  }

  /// The groups from this one to the root, which contains it.
  private func path(from group: BindingGroup) -> [BindingGroup] {
    Array(sequence(first: group, next: \.parent))
  }

  private func root(of group: BindingGroup) -> BindingGroup {
    var root = group
    while let parent = root.parent { root = parent }
    return root
  }

  private func living(_ groups: [Weakly]) -> Set<ObjectIdentifier> {
    Set(groups.compactMap { $0.group.map { ObjectIdentifier($0) } })
  }
}
