/// The name of this module.
public let nameOfLoopbackServer = "LoopbackServer"
