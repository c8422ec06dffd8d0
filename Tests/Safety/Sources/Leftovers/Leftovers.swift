// After the completion or cancellation of a pipeline, all of its objects must have been deallocated: the library's and
// the user's. This program builds and terminates pipelines many times, and compares the bytes on the heap before and
// after. One thread allocates, so the figure is exact. The values and captures of a pipeline are tokens, which are
// counted too.
//
// A case is an operator, a source, a subject or a binding, such as `groupBy`. It runs all terminations, and names the
// first one that leaves objects behind.

import Cases
import Pipelines

@main
struct Leftovers {
  static func main() {
    let tables: [[Entry]] = [
      filters, folds, searches, throwing, coders, mergers, combinations, buffers, sources, subjects, shares, timings,
      errors, captures, subscribers, traits, controls, mappings, gatherings, openings, delays,
    ]
    // Several entries with the same name differ in how they run user code.
    var entries: [String: [Entry]] = [:]
    var names: [String] = []
    for entry in tables.joined() {
      if entries[entry.name] == nil { names.append(entry.name) }
      entries[entry.name, default: []].append(entry)
    }
    let pipelines = names.map { name in
      Case(name) {
        for entry in entries[name] ?? [] {
          if let leftover = entry.leftover() { return leftover }
        }
        return nil
      }
    }
    runCommand([planted] + pipelines + (objects + timers).map { object in Case(object.name) { object.leftover() } })
  }
}
