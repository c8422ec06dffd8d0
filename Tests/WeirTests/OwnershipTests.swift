import Testing
import Weir

/// As in Combine, an operator's method borrows its publisher, so it can be called on a parameter that is not copied
/// implicitly.
@Suite("An operator of a publisher with an explicit ownership")
struct OwnershipTests {
  private func borrowed(_ publisher: borrowing some Publisher<Int, Never>) -> AnyPublisher<Int, Never> {
    publisher.map { (value: Int) in value + 1 }.eraseToAnyPublisher()
  }

  private func consumed(_ publisher: consuming some Publisher<Int, Never>) -> [AnyPublisher<Int, Never>] {
    [publisher.dropFirst().eraseToAnyPublisher(), publisher.eraseToAnyPublisher()]
  }

  @Test("is called on a borrowed parameter, and twice on a consumed one")
  func parameters() {
    var values: [Int] = []
    for publisher in [borrowed([1, 2].publisher)] + consumed([1, 2].publisher) {
      _ = publisher.sink { (value: Int) in values.append(value) }
    }
    #expect(values == [2, 3, 2, 1, 2])
  }
}
