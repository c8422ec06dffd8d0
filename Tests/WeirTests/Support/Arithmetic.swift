@testable import TestSupport

// Functions for operators: their types are explicit, and their names describe a test.

func double(_ number: Int) -> Int { number * 2 }

func isEven(_ number: Int) -> Bool { number.isMultiple(of: 2) }

func half(_ number: Int) -> Int? { isEven(number) ? number / 2 : nil }

/// Two numbers as the digits of one, which shows their order.
func digits(_ tens: Int, _ ones: Int) -> Int { tens * 10 + ones }

func throwing<T>(_: Int) throws -> T { throw TestError.oops }

func throwing<T>(_: Int, _: Int) throws -> T { throw TestError.oops }

/// Fails the program: for closures that must not be called.
func uncalled<T>(_: Int, _: Int) -> T { fatalError("This should not have been called.") }
