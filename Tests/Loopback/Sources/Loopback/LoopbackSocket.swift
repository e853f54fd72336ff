#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A TCP socket on the loopback address; closed with its last reference.
///
/// The `unsafe` expressions below are system calls: every pointer lives as long as the call that it
/// is passed to.
public final class LoopbackSocket: Sendable {
  /// The error of a system call.
  public struct Failure: Error {
    /// The name of the system call.
    public var call: String
    /// Its error number.
    public var code: Int32
  }

  /// The port of the server's side.
  public let port: Int
  private let descriptor: Int32

  private init(descriptor: Int32, port: Int) {
    self.descriptor = descriptor
    self.port = port
  }

  deinit {
    _ = close(descriptor)
  }

  /// A socket bound to a free port. Until it listens, connections to that port are refused.
  public static func bound() throws -> LoopbackSocket {
    let descriptor = try make()
    var address = address(port: 0)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, size)
      }
    }
    try check("bind", result)
    var length = size
    let named = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(descriptor, $0, &length)
      }
    }
    try check("getsockname", named)
    return LoopbackSocket(
      descriptor: descriptor, port: Int(UInt16(bigEndian: address.sin_port)))
  }

  /// A socket connected to a port.
  public static func connected(to port: Int) throws -> LoopbackSocket {
    let socket = LoopbackSocket(descriptor: try make(), port: port)
    var address = address(port: port)
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(socket.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try check("connect", result)
    return socket
  }

  /// Starts accepting connections.
  ///
  /// - Parameter backlog: How many connections can wait for ``nextConnection()``, one more on
  ///   Linux.
  public func startListening(backlog: Int32 = 1024) throws {
    try Self.check("listen", listen(descriptor, backlog))
  }

  /// Waits for a connection.
  public func nextConnection() -> LoopbackSocket? {
    let connection = accept(descriptor, nil, nil)
    // A second small part is not held back until the client has acknowledged the first one.
    var isOn: Int32 = 1
    _ = unsafe setsockopt(
      connection, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    return connection < 0 ? nil : LoopbackSocket(descriptor: connection, port: port)
  }

  /// Waits for bytes; `nil` at the end of the connection.
  public func receive() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      unsafe recv(descriptor, bytes.baseAddress, bytes.count, 0)
    }
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  /// Sends all of the bytes; `false` if the connection has ended.
  public func sendAll(_ bytes: [UInt8]) -> Bool {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe send(descriptor, bytes.baseAddress, bytes.count, flags)
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Closes the connection in both directions, and wakes the threads that wait on it.
  public func shutDown() {
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Makes closing this socket reset the connection: unreceived data is discarded on both sides.
  public func resetAtTheEnd() {
    var option = linger(l_onoff: 1, l_linger: 0)
    _ = unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  private static func make() throws -> Int32 {
    #if canImport(Darwin)
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
      var isOn: Int32 = 1
      _ = unsafe setsockopt(
        descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
    #else
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    try check("socket", descriptor)
    return descriptor
  }

  private static func address(port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
    return address
  }

  private static func check(_ call: String, _ result: Int32) throws {
    if result < 0 { throw Failure(call: call, code: errno) }
  }
}
