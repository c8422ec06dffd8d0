/// The name of this module.
public let nameOfTestSupport = "TestSupport"
