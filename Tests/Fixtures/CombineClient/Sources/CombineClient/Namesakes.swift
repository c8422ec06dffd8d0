import ExampleTerminal
import LogStats
import LoopbackServer
import Marbles
import SignupForm
import TestSupport
import Thermostat

/// What the modules with the names of the library's examples say.
let namesakes = [
  nameOfSignupForm, nameOfMarbles, nameOfThermostat, nameOfLogStats, nameOfExampleTerminal, nameOfTestSupport,
  nameOfLoopbackServer,
]
