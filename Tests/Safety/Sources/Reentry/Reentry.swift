// User code that an operator runs may send into the subject that feeds the operator. This program checks that such
// re-entrant sends damage no memory, and that they are handled in the order in which they began.

import Cases

@main
struct Reentry {
  static func main() {
    let entries = filters + folds + searches + throwing + mergers + buffers
    runCommand(entries.flatMap(\.cases))
  }
}
