import ExampleTerminal
import LogStats
import LoopbackServer
import Marbles
import Runtime
import SignupForm
import TestSupport
import Thermostat

/// The messages of the modules with a name of the library's or the toolchain's modules.
let namesakes = [
  nameOfRuntime(), nameOfSignupForm, nameOfMarbles, nameOfThermostat, nameOfLogStats, nameOfExampleTerminal,
  nameOfTestSupport, nameOfLoopbackServer,
]
