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
  report("--help tells what it takes")
  exit(2)
}

let connection: any RedisConnection
do {
  connection = try await HiredisTransport(options.address).connect()
} catch {
  report("there is no server: \(error)")
  report("start one with: redis-server --port \(options.address.port)")
  exit(3)
}

switch options.command {
case .status:
  do {
    exit(try await status(options, over: connection))
  } catch {
    report("\(error)")
    exit(3)
  }
case .produce: produce(options)
case .work:
  let work = work(options)
  for number in [SIGINT, SIGTERM] {
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
    source.setEventHandler { work.cancel() }
    source.activate()
    // It lasts as long as the program.
    _ = Unmanaged.passRetained(source as AnyObject)
  }
}
connection.close()
while true { try await Task.sleep(for: .seconds(3600)) }
