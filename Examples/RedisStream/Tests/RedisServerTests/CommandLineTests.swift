import Foundation
import Testing
import WeirRedis

@testable import RedisStream

struct CommandLineTests {
  let directory = FileManager.default.temporaryDirectory

  func run(_ arguments: String...) async throws -> (status: Int32, program: Program) {
    let program = try Program(arguments, in: directory)
    return (try await program.end(), program)
  }

  @Test func helpTellsTheCommands() async throws {
    let (status, program) = try await run("--help")
    #expect(status == 0)
    #expect(program.said.hasPrefix("Usage: RedisStream COMMAND"))
  }

  @Test func withoutAServerItSaysHowToStartOne() async throws {
    // No server listens on port 1.
    let (status, program) = try await run("status", "--port", "1")
    #expect(status == 3)
    #expect(
      program.complained == """
        RedisStream: there is no server: 127.0.0.1:1: Connection refused
        RedisStream: start one with: redis-server --port 1 --appendonly yes

        """)
  }

  @Test(arguments: [
    ("localhost", "start one with: redis-server --port 7 --appendonly yes"),
    ("::1", "start one with: redis-server --port 7 --appendonly yes"),
    ("example.org", "start one on example.org, or set its address with --host, --port or --url"),
  ])
  func adviceDependsOnWhereTheServerWouldBe(host: String, advice: String) {
    #expect(RedisAddress(host: host, port: 7).advice == advice)
  }

  @Test func aWrongCommandLine() async throws {
    let (status, program) = try await run("work")
    #expect(status == 64)
    #expect(program.complained.hasPrefix("RedisStream: a worker needs a name: --consumer NAME\n"))
  }

  @Test(arguments: [
    ([], "the command is missing: produce, work or status"),
    (["play"], "there is no command play"),
    (["status", "--often", "1"], "there is no option --often"),
    (["status", "--port"], "--port takes a value"),
    (["status", "--port", "http"], "--port takes a number from 1 to 65535, not http"),
    (["status", "--url", "http://x"], "--url takes an address like redis://127.0.0.1:6379, not http://x"),
  ])
  func complaints(arguments: [String], message: String) {
    let complaint = #expect(throws: Options.Complaint.self) { try Options(arguments, environment: [:]) }
    #expect(complaint?.message == message)
  }

  @Test func optionsComeAfterTheEnvironment() throws {
    let options = try Options(
      ["work", "--consumer", "a", "--port", "7", "--hold", "5"],
      environment: ["REDIS_URL": "redis://u:p@example.org:6380/2"])
    #expect(options.address == RedisAddress(host: "example.org", port: 7, user: "u", password: "p", database: 2))
    #expect(options.consumer == "a")
    #expect(options.hold == 5)
  }
}
