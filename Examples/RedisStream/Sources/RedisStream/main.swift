import Dispatch
import Foundation
import Weir
import WeirRedis

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.contains("--help") || arguments.contains("-h") {
  say(help)
  exit(0)
}

let options: Options
do {
  options = try Options(arguments, environment: ProcessInfo.processInfo.environment)
} catch {
  report(error.message)
  report("--help lists the options")
  exit(64)
}

/// Reports an error with advice; after a refusal the advice is `wayOut`.
func giveUp(_ error: any Error, _ wayOut: String) -> Never {
  if case .server? = error as? RedisError {
    report("\(error)")
    report(wayOut)
    exit(1)
  }
  report("there is no server: \(error)")
  report(options.address.advice)
  exit(3)
}

let connection: any RedisConnection
do {
  connection = try await HiredisTransport(options.address).connect()
} catch {
  giveUp(error, "set the user, the password and the database with --url: redis://user:password@127.0.0.1:6379/0")
}

switch options.command {
case .status:
  do {
    exit(try await status(options, over: connection))
  } catch {
    giveUp(error, "check the user in --url, and the name in --stream")
  }
case .produce: produce(options)
case .work:
  let interrupt = work(options)
  for number in [SIGINT, SIGTERM] {
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
    source.setEventHandler { interrupt(number == SIGINT ? 128 + number : 0) }
    source.activate()
    // It lives as long as the program.
    _ = Unmanaged.passRetained(source as AnyObject)
  }
}
connection.close()
while true { try await Task.sleep(for: .seconds(3600)) }
