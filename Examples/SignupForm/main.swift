import Dispatch
import ExampleTerminal
import Foundation
import Weir
import WeirControls
import WeirDispatch

let help = """
  Usage: SignupForm [--taken FILE] [--trace]

  A sign-up form with a free name, a password, its confirmation, and a switch for the terms.

  In a terminal it is filled in with the keyboard:
    Tab, Shift-Tab   go to the next field, and back (the arrow keys do the same)
    text, a paste    insert at the cursor
    Left, Right, Home, End, Backspace, Delete
                     move the cursor, and edit there
    Space            flip the switch
    Return           press the button, which shows what is missing; in a field, go to the next
    Esc, Ctrl-D      leave
    Ctrl-C           leave with exit status 130

  When standard input is not a terminal, it is a script with one gesture per line:
    type FIELD TEXT     type the text into username, password or confirm
    clear FIELD         clear the field
    flip terms          flip the switch
    tap signup          tap the button
    wait MILLISECONDS   wait
    # …                 a comment
  A line is printed for each change of state:
    username: too short | invalid | checking | taken | available
    password: too short | same as username | ok
    confirm: different | ok
    signup: enabled | disabled
    created: {"username":"…"}
  At the end of the script, the form waits for checks and submissions in flight. An invalid line is reported on standard
  error with its number. The other lines still run.

  Exit status: 0; 1 if a line of the script is invalid; 64 if the arguments are invalid; 66 if FILE can't be read;
  130 after Ctrl-C.

  Options:
    --taken FILE   treat the names in FILE, one per line, as taken, instead of this computer's accounts; FILE may be a
                   pipe
    --trace        report failures and broken rules of pipelines on standard error, and at the end the live pipelines, with
                   their lines of code; in a terminal, all of it at the end
    --help         print this
  """

var directory: any AccountDirectory = SystemAccounts()
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
  switch argument {
  case "--help", "-h":
    print(help)
    exit(0)
  case "--taken":
    guard let path = arguments.popFirst() else { fail("--taken needs the name of a file") }
    do {
      directory = try NameList(readingFrom: path)
    } catch {
      report("can't read \(path): \(error.localizedDescription)")
      exit(66)
    }
  case "--trace":
    Trace.begin()
  default:
    fail("there is no option \(argument)")
  }
}

let form = Form()
let model = SignupModel(form: form, directory: directory, clock: DispatchQueue.main)

if isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 {
  let screen = Screen(form: form, model: model, clock: DispatchQueue.main, display: Terminal())
  screen.run()
  withExtendedLifetime(screen) { RunLoop.main.run() }
} else {
  let script = Script(form: form, model: model, clock: DispatchQueue.main)
  // Read on demand, and not on the main thread, which must not wait for the writer.
  let lines = StandardInput().publisher
    .subscribe(on: DispatchQueue(label: "script"))
    .receive(on: DispatchQueue.main)
  script.run(
    lines,
    output: { line in FileHandle.standardOutput.write(Data("\(line)\n".utf8)) },
    complaints: report,
    end: { status in exit(status) })
  withExtendedLifetime(script) { RunLoop.main.run() }
}

/// Exits because of invalid arguments.
func fail(_ message: String) -> Never {
  report(message)
  report("--help lists the options")
  exit(64)
}
