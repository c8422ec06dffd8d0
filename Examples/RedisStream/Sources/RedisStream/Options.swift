import Foundation
import WeirRedis

let help = """
  Usage: RedisStream COMMAND [OPTION…]

  Distributes work among several processes through a Redis stream.

  Commands:
    produce              writes entries, no faster than the workers process them
    work                 processes and acknowledges entries until it is stopped
    status               prints the state of the stream and its workers; on a terminal, repeatedly

  For all:
    --url URL            the server, such as redis://user:password@host:6379/0; REDIS_URL has the same effect
    --host HOST          its host (127.0.0.1)
    --port PORT          its port (6379)
    --stream NAME        the stream (orders)
    --group NAME         the group of the workers (workers)

  For produce:
    --count N            the number of entries (1000)
    --bound N            the maximum length of the stream (10000)

  For work:
    --consumer NAME      the name of the worker, which must be unique
    --hold N             the maximum number of entries that it holds (100)
    --slow MS            the duration of the work on an entry (0)
    --claim-after MS     claims entries that another worker has left idle for this long (30000)
    --count N            exits after this number of entries
    --journal FILE       appends each entry to FILE when its work is done, before the acknowledgement

  Exit status: 0 done, 1 the server refused a command, 3 there is no server, 64 the command line is invalid, 73 the
  journal can't be created, 74 it can't be written, 130 stopped by Ctrl-C.
  """

/// The parsed command line.
struct Options {
  enum Command: String {
    case produce, work, status
  }

  /// An error in a command line.
  struct Complaint: Error {
    let message: String
  }

  var command = Command.status
  var address = RedisAddress()
  var stream = "orders"
  var group = "workers"
  var count: Int?
  var bound = 10_000
  var consumer: String?
  var hold = 100
  var slow = 0
  var claimAfter = 30_000
  var journal: String?

  init(_ arguments: [String], environment: [String: String]) throws(Complaint) {
    var rest = arguments[...]
    guard let name = rest.popFirst() else {
      throw Complaint(message: "the command is missing: produce, work or status")
    }
    guard let command = Command(rawValue: name) else { throw Complaint(message: "there is no command \(name)") }
    self.command = command
    if let url = environment["REDIS_URL"], !url.isEmpty { address = try Self.address(url, "REDIS_URL") }
    while let option = rest.popFirst() {
      guard let take = Self.options[option] else { throw Complaint(message: "there is no option \(option)") }
      guard let value = rest.popFirst() else { throw Complaint(message: "\(option) takes a value") }
      try take(&self, Value(option: option, text: value))
    }
    if command == .work, consumer == nil { throw Complaint(message: "a worker needs a name: --consumer NAME") }
  }

  private struct Value {
    let option: String
    let text: String

    func number(_ range: ClosedRange<Int>) throws(Complaint) -> Int {
      guard let number = Int(text), range.contains(number) else {
        throw Complaint(
          message: "\(option) takes a number from \(range.lowerBound) to \(range.upperBound), not \(text)")
      }
      return number
    }
  }

  private typealias Take = (inout Options, Value) throws(Complaint) -> Void

  private static var options: [String: Take] {
    [
      "--url": { (options: inout Options, value: Value) throws(Complaint) in
        options.address = try address(value.text, value.option)
      },
      "--host": { (options: inout Options, value: Value) throws(Complaint) in options.address.host = value.text },
      "--port": { (options: inout Options, value: Value) throws(Complaint) in
        options.address.port = try value.number(1...65535)
      },
      "--stream": { (options: inout Options, value: Value) throws(Complaint) in options.stream = value.text },
      "--group": { (options: inout Options, value: Value) throws(Complaint) in options.group = value.text },
      "--consumer": { (options: inout Options, value: Value) throws(Complaint) in options.consumer = value.text },
      "--journal": { (options: inout Options, value: Value) throws(Complaint) in options.journal = value.text },
      "--count": { (options: inout Options, value: Value) throws(Complaint) in
        options.count = try value.number(1...1_000_000_000)
      },
      "--bound": { (options: inout Options, value: Value) throws(Complaint) in
        options.bound = try value.number(1...1_000_000_000)
      },
      "--hold": { (options: inout Options, value: Value) throws(Complaint) in
        options.hold = try value.number(1...1_000_000)
      },
      "--slow": { (options: inout Options, value: Value) throws(Complaint) in
        options.slow = try value.number(0...3_600_000)
      },
      "--claim-after": { (options: inout Options, value: Value) throws(Complaint) in
        options.claimAfter = try value.number(1...86_400_000)
      },
    ]
  }

  private static func address(_ url: String, _ option: String) throws(Complaint) -> RedisAddress {
    guard let address = RedisAddress(url: url) else {
      throw Complaint(message: "\(option) takes an address like redis://127.0.0.1:6379, not \(url)")
    }
    return address
  }
}
