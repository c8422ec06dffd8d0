import Foundation
import Weir
import WeirRedis

/// Writes numbered entries, no faster than workers acknowledge them.
func produce(_ options: Options) {
  let count = options.count ?? 1000
  let start = ContinuousClock.now
  let writer = RedisStreamSubscriber<Never>(
    stream: options.stream, to: HiredisTransport(options.address), bound: options.bound,
    onStatus: { if case .disconnected = $0 { report("\($0)") } },
    onEnd: { end in
      switch end {
      case .finished:
        let time = ContinuousClock.now - start
        say("wrote \(count) entries in \(Int(time / .milliseconds(1))) ms, \(rate(count, in: time))")
        exit(0)
      case .refused(let error):
        report("\(error)")
        exit(1)
      }
    })
  (1...count).lazy.publisher
    .map { (number: Int) -> StreamFields in ["number": String(number)] }
    .subscribe(writer)
}
