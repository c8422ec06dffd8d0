/// The places of a hub's members, some of which may be empty.
///
/// Performance: the only place is in no array, because most hubs have one member, and an array costs 550 instructions.
/// The methods are `mutating`, because in a debug build a call of any other one copies the list.
@usableFromInline
struct MemberList {
  /// Whether there is at most one place, which is outside the array.
  private(set) var isInline = true

  private var only: AnyMulticastSubscription?

  /// All places, unless the only one is inline.
  @usableFromInline
  private(set) var places: ContiguousArray<AnyMulticastSubscription?> = []

  /// The number of places.
  @usableFromInline
  private(set) var count = 0

  @usableFromInline
  subscript(index: Int) -> AnyMulticastSubscription? {
    mutating get { isInline ? only : places[index] }
    set { if isInline { only = newValue } else { places[index] = newValue } }
  }

  mutating func append(_ member: AnyMulticastSubscription?) {
    count += 1
    if count == 1 { return only = member }
    if isInline { moveIntoArray() }
    places.append(member)
  }

  // Performance: out of line, so that `append(_:)` is short.
  @inline(never)
  private mutating func moveIntoArray() {
    isInline = false
    places.append(only.take())
  }

  /// Removes the last place, which is empty.
  mutating func removeLast() {
    count -= 1
    if !isInline { places.removeLast() }
    beginAgain()
  }

  /// Removes the empty places, and numbers the members again.
  mutating func removeEmptyPlaces() {
    places.removeAll { $0 == nil }
    count = places.count
    for (index, member) in places.enumerated() { member?.index = Int32(index) }
    beginAgain()
  }

  private mutating func beginAgain() {
    if count > 0 { return }
    isInline = true
    if places.capacity > 16 { places = [] }
  }
}
