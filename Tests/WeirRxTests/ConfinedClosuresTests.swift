import Testing
import Weir
import WeirRx

@testable import TestSupport

@Suite("Closures that are formed on the main actor")
struct ConfinedClosuresTests {
  enum Way: String, Codable, CaseIterable, Sendable {
    case bind, bindWithObject, success, successWithObject, failure, completion, completionWithObject, absence, loss
  }

  /// A subject that is used on one thread after the other.
  struct Sent: @unchecked Sendable {
    let subject = PassthroughSubject<Int, TestError>()
  }

  @MainActor
  final class Listener {
    var count = 0
    let bag = CancelBag()

    func listen(to subject: PassthroughSubject<Int, TestError>, _ way: Way) {
      let (single, maybe, completable) = (subject.asSingle { _ in .other }, subject.asMaybe(), subject.asCompletable())
      switch way {
      case .bind:
        subject.replaceError(with: 0).bind(onNext: { _ in self.count += 1 }).store(in: bag)
      case .bindWithObject:
        subject.replaceError(with: 0).bind(with: self, onNext: { listener, _ in listener.count += 1 }).store(in: bag)
      case .success:
        single.subscribe(onSuccess: { _ in self.count += 1 }).store(in: bag)
      case .successWithObject:
        single.subscribe(with: self, onSuccess: { listener, _ in listener.count += 1 }).store(in: bag)
      case .failure:
        single.subscribe(onFailure: { _ in self.count += 1 }).store(in: bag)
      case .completion:
        completable.subscribe(onCompleted: { self.count += 1 }).store(in: bag)
      case .completionWithObject:
        completable.subscribe(with: self, onCompleted: { $0.count += 1 }).store(in: bag)
      case .absence:
        maybe.subscribe(onCompleted: { self.count += 1 }).store(in: bag)
      case .loss:
        maybe.subscribe(with: self, onFailure: { listener, _ in listener.count += 1 }).store(in: bag)
      }
    }
  }

  static func play(_ subject: PassthroughSubject<Int, TestError>, _ way: Way) {
    switch way {
    case .bind, .bindWithObject, .success, .successWithObject: subject.send(1)
    case .failure, .completion, .completionWithObject, .absence, .loss: break
    }
    subject.send(completion: way == .failure || way == .loss ? .failure(.oops) : .finished)
  }

  @Test("run where they were formed", arguments: Way.allCases)
  @MainActor
  func run(way: Way) {
    let (listener, sent) = (Listener(), Sent())
    listener.listen(to: sent.subject, way)
    Self.play(sent.subject, way)
    #expect(listener.count == 1)
  }

  @Test("stop the program with a message rather than run off the main actor", arguments: Way.allCases)
  func stop(way: Way) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [way] in
      let (listener, sent) = (Listener(), Sent())
      await listener.listen(to: sent.subject, way)
      onAnotherThread { Self.play(sent.subject, way) }
    }
    let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(message.contains("would have run off MainActor"))
    #expect(message.contains("WeirRxTests/ConfinedClosuresTests.swift:"))
  }
}
