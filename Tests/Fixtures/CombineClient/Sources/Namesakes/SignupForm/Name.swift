/// The name of this module.
public let nameOfSignupForm = "SignupForm"
