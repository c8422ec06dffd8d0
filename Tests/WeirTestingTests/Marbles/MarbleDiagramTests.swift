import Testing
import Weir
import WeirTesting

@Suite struct MarbleDiagramTests {
  typealias Entry = MarbleDiagram.Entry

  @Test func readsSignsIntoFrames() throws {
    let diagram = try MarbleDiagram("^-a'bc'-(d'-1'|)#!--")
    #expect(
      diagram.entries == [
        Entry(frame: 0, mark: .subscription), Entry(frame: 2, mark: .value("a")), Entry(frame: 3, mark: .value("bc")),
        Entry(frame: 5, mark: .value("d")), Entry(frame: 5, mark: .value("-1")), Entry(frame: 5, mark: .finished),
        Entry(frame: 6, mark: .failure), Entry(frame: 7, mark: .cancellation),
      ])
    #expect(diagram.frameCount == 10)
  }

  @Test(arguments: [
    "", "-", "|", "#", "--a-b-(cd)-|", "(ab|)", "^--a!", "'abc'-1'12'", "'-'' '", "a''''b", "3----2-∞", "日本-👩‍👩‍👧",
  ])
  func printsWhatItReads(_ text: String) throws {
    #expect(try MarbleDiagram(text).description == text)
  }

  @Test func printsInOneWayOnly() throws {
    #expect(try MarbleDiagram(" - 'a' - (b) ( c d ) ").description == "-a-b(cd)")
    #expect(try MarbleDiagram("''").description == "''")
    let diagram = try MarbleDiagram("'ab' 'c''d'('e-' 'f-')g")
    #expect(diagram.entries.map(\.mark) == ["ab", "c'd", "e-", "f-", "g"].map { .value($0) })
    #expect(diagram.description == "'ab' 'c''d'('e-' 'f-')g")
  }

  @Test func drawsTheLatestTime() {
    let scheduler = VirtualTimeScheduler()
    scheduler.advance(to: VirtualTime(nanoseconds: .max))
    let subscriber = TestSubscriber<Int, Never>(demanding: .unlimited, clock: scheduler)
    Just(1).subscribe(subscriber)
    let diagram = subscriber.diagram(frame: .nanoseconds(1))
    #expect(diagram.description == "1@\(Int.max - 1) |@\(Int.max - 1)")
  }

  @Test(arguments: [-1, Int.max])
  func saysThatAFrameIsImpossible(_ frame: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [frame] in
      _ = MarbleDiagram.Entry(frame: frame, mark: .finished)
    }
    let message = "MarbleDiagram.Entry requires a frame from 0 to Int.max - 1."
    #expect(result.map { String(decoding: $0.standardErrorContent, as: UTF8.self).contains(message) } == true)
  }

  @Test func isMadeOfMarksInAnyOrder() throws {
    let diagram = MarbleDiagram([
      Entry(frame: 3, mark: .finished), Entry(frame: 1, mark: .value("b")), Entry(frame: 1, mark: .value("a")),
    ])
    #expect(diagram.description == "-(ba)-|")
    #expect(try diagram == MarbleDiagram("-(ba)-|"))
    #expect(MarbleDiagram([Entry(frame: 86_400, mark: .value("a"))]).description == "a@86400")
  }

  @Test(arguments: [
    (
      "--a-(b-|",
      """
      “-” is not allowed in a group: close it with “)” first, or quote a value that has a “-”.
        --a-(b-|
              ↑
      """
    ),
    (
      "a(b",
      """
      This group is not closed: write “)” after its last sign.
        a(b
         ↑
      """
    ),
    (
      "((a))",
      """
      A group can't be nested in another, because all events of a group are in one frame.
        ((a))
         ↑
      """
    ),
    (
      "a)",
      """
      No group is open here: write “(” before its first sign.
        a)
         ↑
      """
    ),
    (
      "a()",
      """
      This group is empty: write “-” for a frame without events.
        a()
          ↑
      """
    ),
    (
      "a'bc",
      """
      This quote is not closed: write “'” after the value.
        a'bc
         ↑
      """
    ),
  ])
  func saysWhereItIsWrong(_ example: (text: String, message: String)) {
    #expect(messageOfFailure { _ = try MarbleDiagram(example.text) } == example.message)
  }
}
