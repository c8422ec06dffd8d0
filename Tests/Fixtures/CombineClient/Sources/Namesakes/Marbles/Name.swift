/// The name of this module.
public let nameOfMarbles = "Marbles"
