/// The name of this module.
public let nameOfLogStats = "LogStats"
