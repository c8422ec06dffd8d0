import Testing

/// Publishers of ours need no guard between them; a program's own do.
@Suite("Publishers that need no guard")
struct SerialPublisherTests {
  @Test("every public publisher and subject is listed as one that keeps the rules of delivery")
  func areListed() throws {
    let (types, listed) = (try publicTypes(), try types(conformingTo: "_SerialPublisher"))
    #expect(listed.count > 100)
    #expect(types.subtracting(listed).sorted() == [])
  }

  @Test("every public one that is listed has a row in the table, which holds it to the contract")
  func areVerified() throws {
    let rows = Set(Table.rows.map(\.type)).union(Table.excused.keys)
    #expect(try types(conformingTo: "_SerialPublisher").intersection(publicTypes()).subtracting(rows).sorted() == [])
  }
}
