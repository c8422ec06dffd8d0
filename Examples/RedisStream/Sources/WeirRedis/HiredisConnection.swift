import CHiredis
import Dispatch
import Foundation
import Synchronization

/// Connects to a real server, with hiredis.
///
/// A program without a handler for SIGPIPE ignores the signal from then on. Otherwise hiredis would end the program
/// when a server disconnects.
public struct HiredisTransport: RedisTransport {
  /// The address of the server.
  public let address: RedisAddress

  /// The timeout of a connection.
  public let connectTimeout: Duration

  /// The timeout of an answer, in addition to the time for which a command blocks.
  public let replyTimeout: Duration

  /// Creates a transport to this address.
  public init(
    _ address: RedisAddress, connectTimeout: Duration = .seconds(2), replyTimeout: Duration = .seconds(10)
  ) {
    self.address = address
    self.connectTimeout = connectTimeout
    self.replyTimeout = replyTimeout
  }

  /// Connects on a separate queue.
  public func connect(_ receive: @escaping @Sendable (Result<any RedisConnection, RedisError>) -> Void) {
    let queue = DispatchQueue(label: "weir.redis.connection")
    queue.async {
      receive(Result { () throws(RedisError) in try HiredisConnection(self, queue) })
    }
  }
}

/// A connection of hiredis that waits for answers on its own queue.
///
/// Safety: only the queue accesses the context, except for the number of its socket. That is set in the initializer,
/// and the socket stays open until the deallocation.
final class HiredisConnection: RedisConnection, @unchecked Sendable {
  private let context: UnsafeMutablePointer<redisContext>
  private let socket: Int32
  private let queue: DispatchQueue
  private let replyTimeout: Duration
  private let isClosed = Atomic<Bool>(false)

  /// hiredis uses `write`, which would end the process for a socket that the server has closed.
  private static let brokenPipesAreErrors: Void = {
    if let old = signal(SIGPIPE, SIG_IGN), unsafeBitCast(old, to: Int.self) != 0 { signal(SIGPIPE, old) }
  }()

  /// Connects; called on the queue.
  init(_ transport: HiredisTransport, _ queue: DispatchQueue) throws(RedisError) {
    _ = Self.brokenPipesAreErrors
    let address = transport.address
    guard let context = redisConnectWithTimeout(address.host, Int32(address.port), transport.connectTimeout.timeval)
    else { throw .connection("out of memory") }
    self.context = context
    self.queue = queue
    replyTimeout = transport.replyTimeout
    socket = context.pointee.fd
    if context.pointee.err != 0 { throw failure("\(address): ") }
    redisSetTimeout(context, replyTimeout.timeval)
    redisEnableKeepAlive(context)
    for reply in try exchange(address.greeting) {
      if let refusal = reply.refusal { throw refusal.error }
    }
  }

  deinit {
    redisFree(context)
  }

  func send(_ commands: [RedisCommand], _ receive: @escaping @Sendable (Result<[RedisReply], RedisError>) -> Void) {
    queue.async {
      receive(Result { () throws(RedisError) in try self.exchange(commands) })
    }
  }

  func close() {
    // Wakes the reading thread. The socket itself is closed when it is no longer used.
    if !isClosed.exchange(true, ordering: .relaxed) { shutdown(socket, Int32(SHUT_RDWR)) }
  }

  // MARK: On the queue

  private func exchange(_ commands: [RedisCommand]) throws(RedisError) -> [RedisReply] {
    if isClosed.load(ordering: .relaxed) { throw .connection("the connection was closed") }
    let wait = commands.lazy.compactMap(Self.wait).max()
    if let wait { redisSetTimeout(context, (replyTimeout + wait).timeval) }
    defer { if wait != nil { redisSetTimeout(context, replyTimeout.timeval) } }
    for command in commands { append(command) }
    var replies: [RedisReply] = []
    replies.reserveCapacity(commands.count)
    for _ in commands {
      var reply: UnsafeMutableRawPointer?
      guard redisGetReply(context, &reply) == REDIS_OK, let reply else { throw failure() }
      replies.append(RedisReply(reply.assumingMemoryBound(to: redisReply.self).pointee))
      freeReplyObject(reply)
    }
    return replies
  }

  /// The time for which the server may block before it answers.
  private static func wait(of command: RedisCommand) -> Duration? {
    guard command.first == "XREADGROUP", let index = command.firstIndex(of: "BLOCK") else { return nil }
    return Int(command[index + 1]).map { .milliseconds($0) }
  }

  private func append(_ command: RedisCommand) {
    var bytes: [UInt8] = []
    var lengths: [Int] = []
    lengths.reserveCapacity(command.count)
    for argument in command {
      bytes.append(contentsOf: argument.utf8)
      lengths.append(argument.utf8.count)
    }
    // One byte more, because an empty last argument needs a valid pointer too.
    bytes.append(0)
    bytes.withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { characters in
        var start = characters.baseAddress
        var arguments: [UnsafePointer<CChar>?] = []
        arguments.reserveCapacity(lengths.count)
        for length in lengths {
          arguments.append(start)
          start = start?.advanced(by: length)
        }
        _ = redisAppendCommandArgv(context, Int32(lengths.count), &arguments, &lengths)
      }
    }
  }

  private func failure(_ prefix: String = "") -> RedisError {
    if context.pointee.err == REDIS_ERR_IO, errno == EAGAIN { return .connection(prefix + "no answer in time") }
    let message = withUnsafeBytes(of: context.pointee.errstr) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    return .connection(prefix + (message.isEmpty ? "the connection broke" : message))
  }
}

extension RedisReply {
  /// Copies a reply of hiredis.
  fileprivate init(_ reply: redisReply) {
    switch reply.type {
    case REDIS_REPLY_INTEGER: self = .integer(Int(reply.integer))
    case REDIS_REPLY_STRING, REDIS_REPLY_STATUS: self = .text(reply.text)
    case REDIS_REPLY_ERROR: self = .error(reply.text)
    case REDIS_REPLY_ARRAY:
      let elements = UnsafeBufferPointer(start: reply.element, count: Int(reply.elements))
      self = .array(elements.map { element in element.map { RedisReply($0.pointee) } ?? .null })
    default: self = .null
    }
  }
}

extension redisReply {
  fileprivate var text: String {
    UnsafeBufferPointer(start: str, count: Int(len)).withMemoryRebound(to: UInt8.self) {
      String(decoding: $0, as: UTF8.self)
    }
  }
}

extension Duration {
  fileprivate var timeval: timeval {
    let (seconds, attoseconds) = components
    return Foundation.timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
  }
}
