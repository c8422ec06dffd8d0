import Combine
import Testing

/// A form for a new account: the typed text, its problems, and whether it may be submitted.
private final class Form {
  enum Problem: Equatable {
    case nameTooShort, nameTaken, passwordTooShort, passwordsDiffer
  }

  let name = CurrentValueSubject<String, Never>("")
  let password = CurrentValueSubject<String, Never>("")
  let repeated = CurrentValueSubject<String, Never>("")
  let send = PassthroughSubject<Void, Never>()

  let problems = CurrentValueSubject<[Problem], Never>([])
  private var bag = Set<AnyCancellable>()

  /// - Parameter isFree: Queries a directory, whose answer can be late or a failure.
  init(isFree: @escaping (String) -> AnyPublisher<Bool, any Error>) {
    let nameProblem =
      name
      .removeDuplicates()
      .map { name -> AnyPublisher<Problem?, Never> in
        if name.count < 3 { return Just(.nameTooShort).eraseToAnyPublisher() }
        return isFree(name)
          .retry(1)
          .map { $0 ? nil : .nameTaken }
          .catch { _ in Just(nil) }
          .eraseToAnyPublisher()
      }
      .switchToLatest()

    let passwordProblem =
      password
      .combineLatest(repeated)
      .map { password, repeated -> Problem? in
        if password.count < 8 { return .passwordTooShort }
        return password == repeated ? nil : .passwordsDiffer
      }

    nameProblem
      .combineLatest(passwordProblem) { [$0, $1].compactMap(\.self) }
      .removeDuplicates()
      .assign(to: \.value, on: problems)
      .store(in: &bag)
  }

  var maySend: Bool { problems.value.isEmpty }

  /// The submissions, which are always valid.
  func accounts() -> some Publisher<(name: String, password: String), Never> {
    send
      .filter { [weak self] in self?.maySend == true }
      .compactMap { [weak self] in self.map { (name: $0.name.value, password: $0.password.value) } }
  }
}

@Suite("A form with validation, as written for Combine")
struct FormTests {
  struct Offline: Error {}

  @Test("names the problems, and accepts valid input")
  func validation() {
    let form = Form { Just($0 != "taken").setFailureType(to: (any Error).self).eraseToAnyPublisher() }
    var sent: [String] = []
    let token = form.accounts().sink { sent.append("\($0.name): \($0.password)") }
    #expect(form.problems.value == [.nameTooShort, .passwordTooShort])

    form.name.send("taken")
    form.password.send("12345678")
    #expect(form.problems.value == [.nameTaken, .passwordsDiffer])
    form.send.send()

    form.repeated.send("12345678")
    form.name.send("anna")
    #expect(form.problems.value == [])
    #expect(form.maySend)
    form.send.send()

    form.password.send("1234567")
    #expect(!form.maySend)
    form.send.send()
    #expect(sent == ["anna: 12345678"])
    withExtendedLifetime(token) {}
  }

  @Test("discards the answer for a name that has been edited")
  func overtaking() {
    var answers: [String: PassthroughSubject<Bool, any Error>] = [:]
    var cancelled: [String] = []
    let form = Form { name in
      let answer = PassthroughSubject<Bool, any Error>()
      answers[name] = answer
      return answer.handleEvents(receiveCancel: { cancelled.append(name) }).eraseToAnyPublisher()
    }
    form.password.send("12345678")
    form.repeated.send("12345678")
    form.name.send("anna")
    form.name.send("annabel")
    #expect(cancelled == ["anna"])
    answers["anna"]?.send(true)
    #expect(!form.maySend)
    answers["annabel"]?.send(true)
    #expect(form.maySend)
  }

  @Test("retries when the directory fails, and then accepts the name")
  func failure() {
    var attempts = 0
    let form = Form { _ in
      Deferred { () -> Fail<Bool, any Error> in
        attempts += 1
        return Fail(error: Offline())
      }
      .eraseToAnyPublisher()
    }
    form.password.send("12345678")
    form.repeated.send("12345678")
    form.name.send("anna")
    #expect(attempts == 2)
    #expect(form.maySend)
  }

  @Test("is deallocated with its owner")
  func release() {
    weak var remains: Form?
    do {
      let form = Form { _ in Empty().eraseToAnyPublisher() }
      remains = form
      form.name.send("anna")
    }
    #expect(remains == nil)
  }
}
