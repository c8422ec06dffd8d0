import ExampleTerminal
import LogStats
import LoopbackServer
import Marbles
import Runtime
import SignupForm
import TestSupport
import Thermostat

/// What the modules say that have a name of the library's or of the toolchain's.
let namesakes = [
  nameOfRuntime(), nameOfSignupForm, nameOfMarbles, nameOfThermostat, nameOfLogStats, nameOfExampleTerminal,
  nameOfTestSupport, nameOfLoopbackServer,
]
