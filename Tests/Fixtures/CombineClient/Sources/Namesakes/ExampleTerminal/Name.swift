/// The name of this module.
public let nameOfExampleTerminal = "ExampleTerminal"
