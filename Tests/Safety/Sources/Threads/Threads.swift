// Delivery is serial, regardless of the threads that send. In this program two threads send at once, or upstreams that
// follow one another deliver on different threads. One thread at a time may be inside the subscriber; no value is lost.

import Cases

@main
struct Threads {
  static func main() {
    runCommand(subjects + successions + requests + careless + waiting)
  }
}
