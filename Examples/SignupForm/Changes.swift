import Foundation
import Weir

extension SignupModel {
  /// A line for each change of state.
  var changes: some Publisher<String, Never> {
    let username = username.filter(\.isShown).removeDuplicates().map { "username: \($0.rawValue)" }
    let password = password.compactMap { $0 }.map { "password: \($0.rawValue)" }
    let confirm = confirm.compactMap { $0 }.map { "confirm: \($0.rawValue)" }
    let signup = isEnabled.removeDuplicates().dropFirst().map { "signup: \($0 ? "enabled" : "disabled")" }
    let created = created.map { "created: \(Account(username: $0).json)" }
    return created.merge(with: username, password, confirm, signup)
  }
}

/// The printed text of a new account.
struct Account: Encodable {
  let username: String

  var json: String {
    // Encoding a single string can't fail.
    (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }
}
