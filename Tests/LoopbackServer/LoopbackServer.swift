public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

#if canImport(Glibc)
private let stream = Int32(SOCK_STREAM.rawValue)
#else
private let stream = SOCK_STREAM
#endif

/// A session without a cache.
///
/// With a cache, Foundation for Linux may stop the program when a task is cancelled.
public func loopbackSession() -> URLSession {
  let configuration = URLSessionConfiguration.ephemeral
  configuration.urlCache = nil
  return URLSession(configuration: configuration)
}

/// An HTTP server on the loopback interface, whose answers a test controls.
///
/// Each connection has its own thread, which may wait for the test.
public final class LoopbackServer: Sendable {
  /// The port of the server.
  public let port: UInt16

  private let socket: Int32

  /// Starts a server, which calls `answer` with the path of each request when the head has arrived.
  public init(_ answer: @escaping @Sendable (String, Connection) -> Void) {
    (socket, port) = boundSocket()
    let socket = socket
    precondition(listen(socket, 16) == 0, "The server can't listen: error \(errno).")
    Thread.detachNewThread {
      while true {
        let client = accept(socket, nil, nil)
        if client < 0 { break }
        Thread.detachNewThread {
          let connection = Connection(socket: client)
          if let path = connection.readPath() { answer(path, connection) }
          connection.close()
        }
      }
      close(socket)
    }
  }

  deinit {
    // Ends the `accept` call in progress.
    shutdown(socket, Int32(SHUT_RDWR))
  }

  /// The address of a path on this server.
  public func url(_ path: String = "/") -> URL {
    loopback(port, path)
  }
}

/// An address without a listener, for the lifetime of this object.
public final class ClosedPort: Sendable {
  private let socket: Int32
  private let port: UInt16

  /// Reserves a port.
  public init() {
    (socket, port) = boundSocket()
  }

  deinit { close(socket) }

  /// The address.
  public var url: URL { loopback(port, "/") }
}

/// One connection to a client.
public struct Connection: Sendable {
  let socket: Int32

  /// Sends a complete response.
  public func send(status: String = "200 OK", body: String) {
    send("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
  }

  /// Sends a part of a response unchanged.
  public func send(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { write(socket, $0.baseAddress, $0.count) }
      if sent <= 0 { return }
      rest = rest.dropFirst(sent)
    }
  }

  /// Waits until the client has closed the connection; returns `false` after a timeout.
  public func waitForClose() -> Bool {
    while let bytes = read() {
      if bytes.isEmpty { return true }
    }
    return false
  }

  /// Returns the path of a request, which it reads up to the end of the head.
  func readPath() -> String? {
    var head: [UInt8] = []
    while let bytes = read(), !bytes.isEmpty {
      head += bytes
      let text = String(decoding: head, as: UTF8.self)
      if text.contains("\r\n\r\n") { return text.split(separator: " ").dropFirst().first.map(String.init) }
    }
    return nil
  }

  /// The received bytes; empty if the client has closed the connection, `nil` after a timeout.
  private func read() -> [UInt8]? {
    var state = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    guard poll(&state, 1, 30_000) > 0 else { return nil }
    return Array(unsafeUninitializedCapacity: 4096) { buffer, count in
      count = max(recv(socket, buffer.baseAddress, 4096, 0), 0)
    }
  }

  func close() {
    shutdown(socket, Int32(SHUT_RDWR))
    #if canImport(Darwin)
    _ = Darwin.close(socket)
    #elseif canImport(Musl)
    _ = Musl.close(socket)
    #else
    _ = Glibc.close(socket)
    #endif
  }
}

private func loopback(_ port: UInt16, _ path: String) -> URL {
  guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { preconditionFailure("\(path) is no path.") }
  return url
}

/// A socket on a port that the system chooses.
private func boundSocket() -> (socket: Int32, port: UInt16) {
  signal(SIGPIPE, SIG_IGN)
  let bound = socket(AF_INET, stream, 0)
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
  var size = socklen_t(MemoryLayout<sockaddr_in>.size)
  let status = withUnsafeMutablePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
      bind(bound, address, size) | getsockname(bound, address, &size)
    }
  }
  precondition(bound >= 0 && status == 0, "There is no port on the loopback interface: error \(errno).")
  return (bound, UInt16(bigEndian: address.sin_port))
}
