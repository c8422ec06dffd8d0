import Foundation
import Weir
import WeirGtk

let help = """
  Usage: GtkForm [--taken FILE] [--log] [--places]

  A sign-up form with a free name, a password, its confirmation, and a switch for the terms.

  Options:
    --taken FILE   treat the names in FILE, one per line, as taken, instead of this computer's accounts
    --log          print a line for each change of state, as SignupForm does
    --places       print the positions of the widgets when the window is shown
    --help         print this

  Exit status: 0; 64 if the arguments are invalid; 66 if FILE can't be read; 69 if there is no display; 130 after Ctrl-C.
  """

var directory: any AccountDirectory = SystemAccounts()
var (isLogging, tellsPlaces) = (false, false)
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
  switch argument {
  case "--help", "-h":
    print(help)
    exit(0)
  case "--log": isLogging = true
  case "--places": tellsPlaces = true
  case "--taken":
    guard let path = arguments.popFirst() else { fail("--taken needs the name of a file") }
    do {
      directory = try NameList(contentsOf: path)
    } catch {
      report("can't read \(path): \(error.localizedDescription)")
      exit(66)
    }
  default:
    fail("there is no option \(argument)")
  }
}

if !Gtk.open() {
  report("there is no display for a window: set DISPLAY or WAYLAND_DISPLAY, or start this with xvfb-run")
  exit(69)
}

let clock = GLibScheduler.main
let window = FormWindow()
let model = SignupModel(form: window.form, directory: directory, clock: clock)
var bag: Set<AnyCancellable> = []
if isLogging {
  model.changes.sink(receiveValue: write).store(in: &bag)
  window.suggestions.changes.sink(receiveValue: write).store(in: &bag)
}
model.start()
window.show(model, clock: clock)
if tellsPlaces {
  Task { @MainActor in
    // The window manager may still move and resize it.
    try await Task.sleep(for: .milliseconds(500))
    for place in window.places { write("place: \(place)") }
  }
}
Gtk.run()

/// Prints a line immediately, also into a file.
func write(_ line: String) {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}

/// Exits because of invalid arguments.
func fail(_ message: String) -> Never {
  report(message)
  report("--help lists the options")
  exit(64)
}
