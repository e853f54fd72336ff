import Dispatch

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Standard input and standard output, read and written without blocking the threads of tasks.
enum StandardStreams {
  /// Returns the next bytes of standard input; `nil` at its end.
  ///
  /// - Throws: `CancellationError` if the task is cancelled. The bytes of a read that is under way
  ///   are lost then.
  @Sendable
  static func read() async throws -> [UInt8]? {
    let bytes = try await waiting { try readBytes() }
    return bytes.isEmpty ? nil : bytes
  }

  /// Writes bytes to standard output.
  @Sendable
  static func write(_ bytes: [UInt8]) async throws {
    try await waiting { try writeBytes(bytes) }
  }

  private static let partSize = 1 << 16

  /// Runs work that blocks its thread, and waits for it until the task is cancelled.
  private static func waiting<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let waiter = Waiter<Value>()
    DispatchQueue.global().async { waiter.fulfill(with: Result { try work() }) }
    return try await waiter.value()
  }

  private static func readBytes() throws -> [UInt8] {
    var failure: (any Error)?
    // Safe: the system writes at most `partSize` bytes, and as many as it says are initialized.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: partSize) { buffer, length in
      do {
        length = try retrying { unsafe systemRead(0, buffer.baseAddress, partSize) }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  private static func writeBytes(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      // Safe: the system reads the bytes during the call.
      let count = try unsafe rest.withUnsafeBytes { bytes in
        try retrying { unsafe systemWrite(1, bytes.baseAddress, bytes.count) }
      }
      guard count > 0 else { throw SearchError(.transport, "Standard output takes no bytes.") }
      rest.removeFirst(count)
    }
  }

  /// Repeats a system call while signals interrupt it.
  private static func retrying(_ call: () -> Int) throws -> Int {
    while true {
      let result = call()
      if result >= 0 { return result }
      let code = errno
      if code == EINTR { continue }
      throw SearchError(
        .transport, "A standard stream cannot be used.", underlying: "errno \(code)")
    }
  }
}

// The names of the methods above are the ones of the system's functions.

private func systemRead(_ file: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(file, start, count)
}

private func systemWrite(_ file: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(file, start, count)
}
