import ExampleTerminal
import Foundation

let help = """
  Usage: Thermostat

  A temperature in degrees Celsius and Fahrenheit, on a slider and on a stepper, which are bound in a ring.

  In a terminal it is set with keys:
    Left, Right   slide
    Up, Down      step
    c, f          set 20 degrees Celsius, 70 degrees Fahrenheit
    Esc, q        leave
    Ctrl-C        leave with exit status 130

  When standard input is not a terminal, it is a script with one gesture per line:
    set celsius NUMBER
    set fahrenheit NUMBER
    slide NUMBER           in degrees Celsius
    step up | step down    half a degree Celsius
    # …                    a comment
  Each gesture is printed, followed by the value that each of the four is set to. An invalid line is reported on standard
  error with its number. The other lines still run.

  Exit status: 0; 1 if a line of the script is invalid; 64 if the arguments are invalid; 130 after Ctrl-C.
  """

if CommandLine.arguments.dropFirst().contains(where: { $0 == "--help" || $0 == "-h" }) {
  print(help)
  exit(0)
}
if let argument = CommandLine.arguments.dropFirst().first {
  report("there is no option \(argument)")
  report("--help lists the options")
  exit(64)
}

if isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 {
  let screen = Screen(display: Terminal())
  screen.run()
  withExtendedLifetime(screen) { RunLoop.main.run() }
} else {
  let lines = sequence(state: ()) { _ in readLine() }
  let output = { (line: String) in FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
  exit(Script().run(lines, output: output, complaints: report))
}

/// Writes a line to standard error.
func report(_ message: String) {
  FileHandle.standardError.write(Data("Thermostat: \(message)\n".utf8))
}
