import Foundation
import Testing

@testable import Marbles

@MainActor
@Suite("The marbles program")
struct CommandTests {
  private func run(_ arguments: String...) throws -> (status: Int32, output: String, complaints: String) {
    var command = Command()
    let status = try command.run(arguments)
    return (status, command.output, command.complaints)
  }

  @Test("a name prints its diagram")
  func printsOne() throws {
    let (status, output, complaints) = try run("filter")
    #expect(status == 0)
    #expect(complaints.isEmpty)
    #expect(
      output == """
        Sends the values for which a predicate is true.

        source                   -1-2-3-4
        asked                    21---1
        demand                   2
        .filter { $0 % 2 == 0 }  ---2---4

        """)
  }

  @Test("a name prints all its forms, and the qualified name only one")
  func printsForms() throws {
    #expect(try run("drop").output.components(separatedBy: "source  ").count == 3)
    #expect(try run("drop(while:)").output.components(separatedBy: "source  ").count == 2)
    #expect(try run("just").output.contains("Single<Int, Never>.just(1)"))
    #expect(try run(".map").output == run("map").output)
  }

  @Test("an unqualified name prints the plain form if there is one; a type's form needs the type")
  func printsOfTypes() throws {
    #expect(try !run("map").output.contains("single"))
    #expect(try run("Single.map").output.contains("single            --(1|)\n.map { $0 * 10 }"))
    #expect(try run("andThen").output == run("Completable.andThen").output)
  }

  @Test("colors mark the code and the demand")
  func colours() throws {
    var command = Command()
    command.isColoured = true
    #expect(try command.run(["filter"]) == 0)
    #expect(command.output.contains("\u{1B}[1m.filter { $0 % 2 == 0 }"))
    #expect(command.output.contains("\u{1B}[36mdemand"))
  }

  @Test("the list contains every name, and fits the terminal")
  func lists() throws {
    let (status, output, _) = try run("--list")
    #expect(status == 0)
    for diagram in Catalogue.diagrams { #expect(output.contains("  \(diagram.name)")) }
    #expect(output.components(separatedBy: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test(
    "an unknown name suggests the nearest",
    arguments: [
      ("mpa", "map"), ("flatmap", "flatMap"), ("scna", "scan"), ("debonce", "debounce"), ("Jus", "Just"),
      ("Maybe.mpa", "Maybe.map"),
    ])
  func suggests(name: String, nearest: String) throws {
    let (status, output, complaints) = try run(name)
    #expect(status == 1)
    #expect(output.isEmpty)
    #expect(complaints.hasPrefix("There is no diagram of “\(name)”. Did you mean \(nearest)"))
  }

  @Test("an unknown name refers to the list")
  func suggestsNothing() throws {
    #expect(try run("xyzzyxyzzyx").complaints.contains("--list prints all names."))
  }

  @Test("invalid arguments exit with code 64", arguments: [[], ["--svg"], ["--list", "more"], ["--what"]])
  func misused(arguments: [String]) throws {
    var command = Command()
    #expect(try command.run(arguments) == 64)
    #expect(command.output.isEmpty)
    #expect(command.complaints.hasSuffix("swift run Marbles --help lists the options.\n"))
  }

  @Test("the help explains the signs")
  func helps() throws {
    #expect(try run("--help").output.contains("!  a cancellation"))
  }

  @Test(
    "the distance of words counts letters",
    arguments: [("map", "map", 0), ("map", "mpa", 1), ("map", "maap", 1), ("map", "", 3), ("zip", "map", 2)])
  func distances(one: String, other: String, expected: Int) {
    #expect(distance(one, other) == expected)
  }
}
