import Combine
import Dispatch
import Foundation
import LoopbackServer
import Testing

/// A search field that queries a server when the typing pauses.
///
/// It never shows an answer to an outdated query. All of this runs on one queue.
private final class Search {
  let text = PassthroughSubject<String, Never>()
  private var bag = Set<AnyCancellable>()

  init(
    at address: @escaping (String) -> URL, session: URLSession, on queue: DispatchQueue,
    show: @escaping ([String]) -> Void
  ) {
    text
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .debounce(for: .milliseconds(20), scheduler: queue)
      .removeDuplicates()
      .map { term in Self.titles(at: address(term), session: session) }
      .switchToLatest()
      .receive(on: queue)
      .sink(receiveValue: show)
      .store(in: &bag)
  }

  private static func titles(at url: URL, session: URLSession) -> AnyPublisher<[String], Never> {
    session.dataTaskPublisher(for: url)
      .tryMap { data, response in
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
        return data
      }
      .decode(type: [String].self, decoder: JSONDecoder())
      .replaceError(with: ["nothing found"])
      .eraseToAnyPublisher()
  }
}

@Suite("A search field, as written for Combine", .timeLimit(.minutes(10)))
struct SearchFieldTests {
  let queue = DispatchQueue(label: "search")
  let session = loopbackSession()
  let asked = Log<String>()
  let shown = Log<[String]>()

  private func search(_ server: LoopbackServer) -> Search {
    Search(at: { server.url("/\($0)") }, session: session, on: queue) { [shown] in shown($0) }
  }

  /// Types on the queue, so that no timeout can occur in between.
  private func type(_ texts: String..., into search: Search) {
    queue.sync { for text in texts { search.text.send(text) } }
  }

  @Test("queries once for uninterrupted typing, and not again for the same text")
  func typing() {
    let server = LoopbackServer { [asked] path, connection in
      asked(path)
      connection.send(body: #"["the answer to \#(path)"]"#)
    }
    let search = search(server)
    type("s", "sw", "swi", "swift ", into: search)
    #expect(shown.wait())
    type("swif", "swift", into: search)
    type("swifter", into: search)
    #expect(shown.wait())
    // The clock decides whether the middle text reaches its timeout. It is the same as before, so there is no query.
    #expect(shown.events == [["the answer to /swift"], ["the answer to /swifter"]])
    #expect(asked.events == ["/swift", "/swifter"])
    withExtendedLifetime(search) {}
  }

  @Test("cancels a query that a newer one replaces")
  func overtaking() {
    let server = LoopbackServer { [asked] path, connection in
      asked(path)
      if path == "/slow" {
        asked(connection.waitForClose() ? "given up" : "still waiting")
      } else {
        connection.send(body: #"["quick"]"#)
      }
    }
    let search = search(server)
    type("slow", into: search)
    #expect(asked.wait())
    type("quick", into: search)
    #expect(asked.wait(for: 2) && shown.wait())
    #expect(Set(asked.events) == ["/slow", "/quick", "given up"])
    #expect(shown.events == [["quick"]])
    withExtendedLifetime(search) {}
  }

  @Test("shows no results when the server fails, and continues")
  func failure() {
    let server = LoopbackServer { path, connection in
      switch path {
      case "/broken": connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
      case "/missing": connection.send(status: "404 Not Found", body: "[]")
      case "/nonsense": connection.send(body: "nonsense")
      default: connection.send(body: #"["found"]"#)
      }
    }
    let search = search(server)
    for text in ["broken", "missing", "nonsense", "fine"] {
      type(text, into: search)
      #expect(shown.wait())
    }
    #expect(shown.events == [["nothing found"], ["nothing found"], ["nothing found"], ["found"]])
    withExtendedLifetime(search) {}
  }
}
