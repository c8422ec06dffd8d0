/// The name of this module.
public let nameOfThermostat = "Thermostat"
