import Dispatch
import Foundation
import Weir
import WeirControls
import WeirDispatch

let form = Form()
let model = SignupModel(form: form, directory: SystemAccounts(), clock: DispatchQueue.main)
var bag = Set<AnyCancellable>()

model.username.filter(\.isShown).removeDuplicates().sink { print("username: \($0.rawValue)") }.store(in: &bag)
model.password.compactMap { $0 }.sink { print("password: \($0.rawValue)") }.store(in: &bag)
model.confirm.compactMap { $0 }.sink { print("confirm: \($0.rawValue)") }.store(in: &bag)
model.isEnabled.removeDuplicates().dropFirst().sink { print("signup: \($0)") }.store(in: &bag)
model.created.sink { print("created: \($0)") }.store(in: &bag)
model.start()

form.username.type("ada-lovelace")
form.password.type("difference")
form.confirm.type("difference")
form.terms.flip()

model.isEnabled.first { $0 }.sink { _ in form.signup.tap() }.store(in: &bag)
model.created.sink { _ in exit(0) }.store(in: &bag)
RunLoop.main.run()
