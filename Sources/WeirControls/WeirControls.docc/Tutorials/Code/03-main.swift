import Weir
import WeirControls

let form = Form()
var bag = Set<AnyCancellable>()

form.username.rx.text.orEmpty
  .sink { print("username: \($0)") }
  .store(in: &bag)

form.username.type("ada")
