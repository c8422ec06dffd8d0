import Foundation
import Weir
import WeirFoundation
import WeirTesting

extension Catalogue {
  static let sources = Family("Sources") {
    Diagram("Just", "Just(1)", demand: "--1") { _ in Just(1) }
    Diagram("Empty", "Empty<Int, Never>()", in: "struct Empty") { _ in Empty<Int, Never>() }
    Diagram("Fail", "Fail<Int, Oops>(error: Oops())", in: "struct Fail") { _ in Fail<Int, Oops>(error: Oops()) }
    Diagram("Optional", "Optional(1).publisher", in: Declaration("struct Publisher", file: "Optional")) { _ in
      Optional(1).publisher
    }
    Diagram("Result", "Result<Int, Oops>.success(1).publisher", in: Declaration("struct Publisher", file: "Result")) {
      _ in Result<Int, Oops>.success(1).publisher
    }
    Diagram(
      "Sequence", "(1...5).publisher", demand: "2---1--∞",
      in: Declaration("var publisher: Publishers", file: "Sequence")
    ) { _ in (1...5).publisher }
    Diagram(
      "lazy", "(1...).lazy.publisher.map { $0 * 2 }.prefix(3)", demand: "2---1",
      in: Declaration("var publisher: some Publisher", file: "Sequence")
    ) { _ in (1...).lazy.publisher.map { $0 * 2 }.prefix(3) }
    Diagram("Record", "Record(output: [1, 2], completion: .failure(Oops()))", demand: "1--1") { _ in
      Record(output: [1, 2], completion: .failure(Oops()))
    }
    Diagram("Deferred", "Deferred { source }") { stage in
      let source = try stage.numbers("-1-2-|")
      let deferred = Deferred { source }
      try stage.subscribe(to: deferred, as: "Deferred { source }", at: 2)
    }
    Diagram("Future", "Future { promise = $0 }") { stage in
      var promise: Future<Int, Never>.Promise?
      let future: Future<Int, Never> = Future { promise = $0 }
      try stage.send("---7", as: "promise") { promise?(.success(Int($0) ?? 0)) }
      try stage.subscribe(to: future, as: "Future { promise = $0 }")
      try stage.subscribe(to: future, as: "later", at: 5)
    }
    Diagram(
      "NotificationCenter", "center.publisher(for: .saved)", frames: 6,
      in: Declaration("func publisher(for name", file: "NotificationCenter")
    ) { stage in
      let center = NotificationCenter()
      try stage.send("-a-b-c", as: "post") { center.post(name: .saved, object: $0) }
      let posted = center.publisher(for: .saved)
      try stage.subscribe(to: posted.map { $0.object ?? "" }, as: "center.publisher(for: .saved)", demand: "2")
    }
  }

  static let subjects = Family("Subjects") {
    Diagram("PassthroughSubject", "PassthroughSubject<Int, Never>()") { stage in
      let subject = PassthroughSubject<Int, Never>()
      try stage.send("-1-2-3-4-|", to: subject)
      try stage.subscribe(to: subject, as: "PassthroughSubject<Int, Never>()", demand: "2-----1")
      try stage.subscribe(to: subject, as: "later", at: 4)
    }
    Diagram("CurrentValueSubject", "CurrentValueSubject<Int, Never>(0)") { stage in
      let subject = CurrentValueSubject<Int, Never>(0)
      try stage.send("-1-2-3-4-|", to: subject)
      try stage.subscribe(to: subject, as: "CurrentValueSubject<Int, Never>(0)", demand: "2-----1")
      try stage.subscribe(to: subject, as: "later", at: 4)
    }
    Diagram("Published", "model.$number") { stage in
      let model = Model()
      try stage.send("-1-2-3", as: "number =") { model.number = Int($0) ?? 0 }
      try stage.subscribe(to: model.$number, as: "model.$number")
      try stage.subscribe(to: model.$number, as: "later", at: 4)
    }
    Diagram("ObservableObjectPublisher", "model.objectWillChange") { stage in
      let model = Model()
      try stage.send("-1-2-3", as: "number =") { model.number = Int($0) ?? 0 }
      try stage.subscribe(to: model.objectWillChange.map { "!" }, as: "model.objectWillChange")
    }
  }
}

/// A model with a published property.
final class Model: ObservableObject {
  @Published var number = 0
}

extension Notification.Name {
  static let saved = Notification.Name("saved")
}
