import InstantSearchJSON

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

extension LocalSearch {
  /// Adds the records of a file to an index, as ``save(_:in:deadline:)`` does.
  ///
  /// The file is a JSON array of objects, or has one object per line (NDJSON).
  ///
  /// - Parameters:
  ///   - path: The file's path, relative to the current directory or absolute.
  ///   - indexName: The index, which is created if it does not exist.
  ///   - deadline: The deadline of the write. Defaults to none.
  /// - Returns: The IDs in the order of the records.
  /// - Throws: `SearchError` with code `invalidRequest`, without changes. The message has the file
  ///   and the line. `timedOut` or `cancelled`, without changes, if the deadline passes or the task
  ///   is cancelled before the records are visible.
  @concurrent @discardableResult
  public func load(
    contentsOf path: String, into indexName: String, deadline: Deadline? = nil
  ) async throws(SearchError) -> [String] {
    try await load(contentsOf: URL(fileURLWithPath: path), into: indexName, deadline: deadline)
  }

  /// Adds the records of a file to an index, as ``save(_:in:deadline:)`` does.
  ///
  /// The file is a JSON array of objects, or has one object per line (NDJSON).
  @concurrent @discardableResult
  public func load(
    contentsOf url: URL, into indexName: String, deadline: Deadline? = nil
  ) async throws(SearchError) -> [String] {
    try await writing(indexName, deadline) { [self] cancellation in
      let bytes = try FileBytes.read(url, for: indexName, cancellation)
      return try loading(bytes, named: url.lastPathComponent, into: indexName, cancellation)
    }
  }

  /// Adds the records in the bytes of a JSON array or of NDJSON to an index.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8 text.
  ///   - name: The name of the bytes in messages.
  ///   - indexName: The index, which is created if it does not exist.
  ///   - deadline: The deadline of the write. Defaults to none.
  /// - Returns: The IDs in the order of the records.
  /// - Throws: `SearchError` with code `invalidRequest`, without changes. The message has the line
  ///   and the column.
  @concurrent @discardableResult
  public func load(
    _ bytes: [UInt8], named name: String = "input", into indexName: String,
    deadline: Deadline? = nil
  ) async throws(SearchError) -> [String] {
    try await writing(indexName, deadline) { [self] cancellation in
      try loading(bytes, named: name, into: indexName, cancellation)
    }
  }

  private func loading(
    _ bytes: [UInt8], named name: String, into indexName: String, _ cancellation: CancellationCheck
  ) throws -> PreparedWrite<[String]> {
    let file = try RecordFile(bytes, named: name, cancellation)
    return try putting(file.nodes, in: indexName, clearsFirst: false, cancellation) {
      file.location(of: $0)
    }
  }
}

/// The values in a file that is a JSON array, or has one value per line, with their locations.
struct RecordFile {
  /// The unchecked values.
  private(set) var nodes: [JSONNode] = []
  /// The file's name, for messages.
  private let name: String
  private let byteCount: Int
  /// The line of each value, from 1, or `nil` for an array, whose bytes determine it.
  private var lines: [Int]?

  /// Reads the values. Invalid JSON is an error with the file, line and column.
  init(_ bytes: [UInt8], named name: String, _ cancellation: CancellationCheck) throws {
    self.name = name
    byteCount = bytes.count
    defer { cancellation.releaseLater(nodes, partCount: nodes.count) }
    let start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    let first = try cancellation.firstIndex(in: bytes, from: start) { !Self.isSpace($0) }
    guard first < bytes.count else { return }
    if bytes[first] == UInt8(ascii: "[") {
      for element in try parse(bytes[start...], line: 1, cancellation).elements {
        try cancellation.count()
        nodes.append(element)
      }
    } else {
      try readLines(bytes, from: start, cancellation)
    }
  }

  /// Returns the location of a value: the file's name, the line, and its number in an array.
  func location(of number: Int) -> String {
    guard nodes.indices.contains(number) else { return name }
    if let lines { return "\(name):\(lines[number])" }
    let node = nodes[number]
    let before = node.document.bytes(0..<node.sourceRange.lowerBound)
    let line = before.count { $0 == Self.newline } + 1
    return "\(name):\(line): record \(number)"
  }

  private mutating func readLines(
    _ bytes: [UInt8], from first: Int, _ cancellation: CancellationCheck
  ) throws {
    var lines: [Int] = []
    var line = 0
    var start = first
    while start < bytes.count {
      line += 1
      let first = try cancellation.firstIndex(in: bytes, from: start) {
        !Self.isSpace($0) || $0 == Self.newline
      }
      let end = try cancellation.firstIndex(in: bytes, from: first) { $0 == Self.newline }
      if first < end {
        nodes.append(try parse(bytes[start..<end], line: line, cancellation))
        lines.append(line)
      }
      start = end + 1
    }
    self.lines = lines
  }

  /// Returns advice for an invalid line of a file that may be one JSON value in several lines.
  private func hint(_ bytes: ArraySlice<UInt8>) -> String {
    bytes.endIndex < byteCount
      && bytes.prefix(1000).allSatisfy { Self.isSpace($0) || "{[".utf8.contains($0) }
      ? "; write each record on one line, or all of them as one array" : ""
  }

  /// Parses one text that starts on a line of the file.
  private func parse(
    _ bytes: ArraySlice<UInt8>, line: Int, _ cancellation: CancellationCheck
  ) throws -> JSONNode {
    do {
      return try cancellation.document(bytes).root
    } catch let error as JSONError {
      throw SearchError(
        .invalidRequest,
        "\(name):\(error.line + line - 1):\(error.column): \(error.message)" + hint(bytes))
    }
  }

  private static let newline = UInt8(ascii: "\n")

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0d).contains(byte)
  }
}

/// The system's `read`, which a method here has as its name.
private let systemRead: @Sendable (Int32, UnsafeMutableRawPointer?, Int) -> Int = unsafe read

/// Reads files in pieces, so that reading a long one can end early.
enum FileBytes {
  /// The number of bytes that are read between two checks.
  private static let pieceLength = 1 << 20

  /// Reads a whole file.
  ///
  /// - Throws: `SearchError` with code `invalidRequest` if the file cannot be read, with the reason
  ///   as `underlying`.
  static func read(
    _ url: URL, for indexName: String, _ cancellation: CancellationCheck
  ) throws -> [UInt8] {
    func failure(_ reason: String) -> SearchError {
      SearchError(
        .invalidRequest, "Cannot read \(url.path).", indexName: indexName, underlying: reason)
    }
    guard url.isFileURL else { throw failure("it is not a file URL") }
    // Safe: `open` reads the path, and `fstat` writes `status`, during the call.
    //
    // Opens without blocking, because a pipe would block until something writes to it.
    var descriptor: Int32 = -1
    repeat {
      try cancellation.check()
      descriptor = unsafe open(url.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    } while descriptor < 0 && errno == EINTR
    guard descriptor >= 0 else { throw failure(reason(errno)) }
    defer { _ = close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw failure(reason(errno)) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw failure("it is a folder")
    default: throw failure("it is not a regular file; load its bytes instead")
    }
    var bytes: [UInt8] = []
    while true {
      try cancellation.check()
      var failureCode: Int32 = 0
      // Safe: the buffer has `pieceLength` bytes. `read` initializes as many as it returns.
      let piece = unsafe [UInt8](unsafeUninitializedCapacity: pieceLength) { buffer, count in
        let readCount = unsafe systemRead(descriptor, buffer.baseAddress, pieceLength)
        count = max(0, readCount)
        if readCount < 0 { failureCode = errno }
      }
      if failureCode == EINTR { continue }
      guard failureCode == 0 else { throw failure(reason(failureCode)) }
      if piece.isEmpty { return bytes }
      bytes += piece
    }
  }

  /// Returns the reason for a failure in few words, because the system's texts differ between
  /// systems.
  private static func reason(_ code: Int32) -> String {
    switch code {
    case ENOENT: "there is no such file"
    case EACCES, EPERM: "permission denied"
    default: "the system refused to read it, code \(code)"
    }
  }
}
