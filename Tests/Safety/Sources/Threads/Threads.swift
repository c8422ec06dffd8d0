// Delivery is serialized, whatever threads send. In this program two threads send concurrently, successive upstreams
// deliver on different threads, or one thread attaches or cancels while another sends. One thread at a time may be in
// the subscriber, and no value may be lost.

import Cases

@main
struct Threads {
  static func main() {
    runCommand(
      subjects + hops + repeating + successions + requests + careless + cancellations + attachments + attaching + values
        + waiting + order + joining + mainActor + runLoops + asyncCalls + clocks)
  }
}
