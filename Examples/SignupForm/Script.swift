import Dispatch
import Foundation
import Weir
import WeirControls
import WeirDispatch
import WeirRx

/// A user action, as a line of a script describes it.
enum Gesture: Equatable {
  case type(field: String, text: String)
  case clear(field: String)
  case flip
  case tap
  case wait(milliseconds: Int)

  struct Misunderstanding: Error, Equatable {
    let message: String
  }

  /// The gesture of a line, or `nil` if the line is empty or a comment.
  init?(line: some StringProtocol) throws(Misunderstanding) {
    let line = String(line.drop { $0 == " " || $0 == "\t" })
    if line.allSatisfy(\.isWhitespace) || line.first == "#" { return nil }
    let words = line.split(maxSplits: 2, whereSeparator: \.isWhitespace).map(String.init)
    let text = words.count > 2 ? words[2] : nil
    switch (words[0], words.count > 1 ? words[1].trimmed : nil) {
    case ("type", let field?):
      guard let text else { throw Misunderstanding(message: "type needs a field and a text") }
      self = .type(field: try Self.known(field), text: text)
    case ("clear", let field?) where text == nil:
      self = .clear(field: try Self.known(field))
    case ("flip", "terms") where text == nil:
      self = .flip
    case ("tap", "signup") where text == nil:
      self = .tap
    case ("wait", let amount?) where text == nil:
      guard let milliseconds = Int(amount), milliseconds >= 0 else {
        throw Misunderstanding(message: "wait needs a number of milliseconds, not \(amount)")
      }
      self = .wait(milliseconds: milliseconds)
    default:
      throw Misunderstanding(
        message: """
          can't understand "\(line.trimmingCharacters(in: .whitespaces))": a line is type FIELD TEXT, clear FIELD, \
          flip terms, tap signup, wait MILLISECONDS, or a comment that begins with #
          """)
    }
  }

  private static func known(_ field: String) throws(Misunderstanding) -> String {
    guard ["username", "password", "confirm"].contains(field) else {
      throw Misunderstanding(message: "there is no field \(field): the fields are username, password and confirm")
    }
    return field
  }
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}

/// Fills in the form from the lines of standard input, and prints each change of state.
@MainActor
final class Script<Clock: Scheduler> {
  private let form: Form
  private let model: SignupModel<Clock>
  private let clock: Clock
  private var misunderstood = 0
  private let bag = DisposeBag()

  init(form: Form, model: SignupModel<Clock>, clock: Clock) {
    self.form = form
    self.model = model
    self.clock = clock
  }

  /// Runs each line after the previous one has completed, and then waits for pending work.
  ///
  /// - Parameters:
  ///   - lines: The script.
  ///   - output: A closure that receives each line to print.
  ///   - complaints: A closure that receives the message for each line that can't be parsed.
  ///   - end: A closure that receives the exit status.
  func run(
    _ lines: some Publisher<String, Never>, output: @escaping (String) -> Void, complaints: @escaping (String) -> Void,
    end: @escaping (Int32) -> Void
  ) {
    model.changes.sink(receiveValue: output).store(in: bag)
    model.start()
    let gestures = lines.scan((number: 0, line: "")) { last, line -> (number: Int, line: String) in
      (last.number + 1, line)
    }
    let idle = model.isIdle.first(where: { $0 }).map { _ in () }
    gestures
      .flatMap(maxPublishers: .max(1)) { [unowned self] number, line in
        perform(line, number, complaints)
      }
      .append(idle)
      .sink(
        receiveCompletion: { [unowned self] _ in end(misunderstood == 0 ? 0 : 1) }, receiveValue: { _ in }
      )
      .store(in: bag)
  }

  /// Performs a line; the result finishes when the work is done.
  private func perform(
    _ line: String, _ number: Int, _ complaints: (String) -> Void
  ) -> AnyPublisher<Void, Never> {
    do {
      switch try Gesture(line: line) {
      case nil: break
      case .type(let field, let text): form.field(named: field)?.type(text)
      case .clear(let field): form.field(named: field)?.clear()
      case .flip: form.terms.flip()
      case .tap: form.signup.tap()
      case .wait(let milliseconds):
        return Just(()).delay(for: .milliseconds(milliseconds), scheduler: clock).eraseToAnyPublisher()
      }
    } catch {
      misunderstood += 1
      complaints("line \(number): \(error.message)")
    }
    return Just(()).eraseToAnyPublisher()
  }
}

/// The lines of standard input, each of which is read on demand.
struct StandardInput: Sequence, IteratorProtocol {
  func next() -> String? {
    readLine()
  }
}
