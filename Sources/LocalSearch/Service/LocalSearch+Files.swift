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
  ///   - indexName: The index, which is made when it does not exist.
  ///   - deadline: When the records must be there; none by default.
  /// - Returns: The IDs in the order of the records.
  /// - Throws: `SearchError` of code `invalidRequest`, with nothing written; the message names the
  ///   file and the line. `timedOut` or `cancelled`, with nothing written, when the deadline passes
  ///   or the task is cancelled before the records are visible.
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
    try await writing(indexName, deadline) { [self] checkpoint in
      let bytes = try FileBytes.read(url, for: indexName, checkpoint)
      return try loading(bytes, named: url.lastPathComponent, into: indexName, checkpoint)
    }
  }

  /// Adds records to an index that are given as the bytes of a JSON array or of NDJSON.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8 text.
  ///   - name: What the bytes are called in messages.
  ///   - indexName: The index, which is made when it does not exist.
  ///   - deadline: When the records must be there; none by default.
  /// - Returns: The IDs in the order of the records.
  /// - Throws: `SearchError` of code `invalidRequest`, with nothing written; the message names the
  ///   line and the column.
  @concurrent @discardableResult
  public func load(
    _ bytes: [UInt8], named name: String = "input", into indexName: String,
    deadline: Deadline? = nil
  ) async throws(SearchError) -> [String] {
    try await writing(indexName, deadline) { [self] checkpoint in
      try loading(bytes, named: name, into: indexName, checkpoint)
    }
  }

  private func loading(
    _ bytes: [UInt8], named name: String, into indexName: String, _ checkpoint: Checkpoint
  ) throws -> PreparedWrite<[String]> {
    let file = try RecordFile(bytes, named: name, checkpoint)
    return try putting(file.nodes, in: indexName, clearsFirst: false, checkpoint) {
      file.place(of: $0)
    }
  }
}

/// The values in a file that is a JSON array, or has one value per line, and where they stand.
struct RecordFile {
  /// The values, not yet checked.
  private(set) var nodes: [JSONNode] = []
  /// The file's name, for messages.
  private let name: String
  private let byteCount: Int
  /// The line of each value, from 1; `nil` for an array, whose bytes tell.
  private var lines: [Int]?

  /// Reads the values; text that is no JSON is an error that names the file, line and column.
  init(_ bytes: [UInt8], named name: String, _ checkpoint: Checkpoint) throws {
    self.name = name
    byteCount = bytes.count
    defer { checkpoint.releaseLater(nodes, partCount: nodes.count) }
    let start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    let first = try checkpoint.firstIndex(in: bytes, from: start) { !Self.isSpace($0) }
    guard first < bytes.count else { return }
    if bytes[first] == UInt8(ascii: "[") {
      for element in try parse(bytes[start...], line: 1, checkpoint).elements {
        try checkpoint.count()
        nodes.append(element)
      }
    } else {
      try readLines(bytes, from: start, checkpoint)
    }
  }

  /// Where a value stands: the file's name, the line, and its number in an array.
  func place(of number: Int) -> String {
    guard nodes.indices.contains(number) else { return name }
    if let lines { return "\(name):\(lines[number])" }
    let node = nodes[number]
    let before = node.document.bytes(0..<node.sourceRange.lowerBound)
    let line = before.count { $0 == Self.newline } + 1
    return "\(name):\(line): record \(number)"
  }

  private mutating func readLines(
    _ bytes: [UInt8], from first: Int, _ checkpoint: Checkpoint
  ) throws {
    var lines: [Int] = []
    var line = 0
    var start = first
    while start < bytes.count {
      line += 1
      let first = try checkpoint.firstIndex(in: bytes, from: start) {
        !Self.isSpace($0) || $0 == Self.newline
      }
      let end = try checkpoint.firstIndex(in: bytes, from: first) { $0 == Self.newline }
      if first < end {
        nodes.append(try parse(bytes[start..<end], line: line, checkpoint))
        lines.append(line)
      }
      start = end + 1
    }
    self.lines = lines
  }

  /// What is said of a line that is no JSON when the file may be one JSON value in several lines.
  private func hint(_ bytes: ArraySlice<UInt8>) -> String {
    bytes.endIndex < byteCount
      && bytes.prefix(1000).allSatisfy { Self.isSpace($0) || "{[".utf8.contains($0) }
      ? "; write a record in one line, or all of them as one array" : ""
  }

  /// Parses one text that begins on a line of the file.
  private func parse(
    _ bytes: ArraySlice<UInt8>, line: Int, _ checkpoint: Checkpoint
  ) throws -> JSONNode {
    do {
      return try checkpoint.document(bytes).root
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

/// The system's `read`, whose name is that of a method here.
private let systemRead: @Sendable (Int32, UnsafeMutableRawPointer?, Int) -> Int = unsafe read

/// Reads files piece by piece, so that reading a long one can be ended.
enum FileBytes {
  /// How many bytes are read between two checks.
  private static let pieceLength = 1 << 20

  /// Reads a whole file.
  ///
  /// - Throws: `SearchError` of code `invalidRequest` when the file cannot be read, with the reason
  ///   as `underlying`.
  static func read(
    _ url: URL, for indexName: String, _ checkpoint: Checkpoint
  ) throws -> [UInt8] {
    func failure(_ reason: String) -> SearchError {
      SearchError(
        .invalidRequest, "cannot read \(url.path)", indexName: indexName, underlying: reason)
    }
    guard url.isFileURL else { throw failure("it is not on this machine") }
    // Without blocking: a pipe would block until something writes to it.
    var descriptor: Int32 = -1
    repeat {
      try checkpoint.check()
      descriptor = unsafe open(url.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    } while descriptor < 0 && errno == EINTR
    guard descriptor >= 0 else { throw failure(reason(errno)) }
    defer { _ = close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw failure(reason(errno)) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw failure("it is a folder")
    default: throw failure("it is no regular file; load its bytes instead")
    }
    var bytes: [UInt8] = []
    while true {
      try checkpoint.check()
      var failureCode: Int32 = 0
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

  /// Why a file cannot be read, in few words; the system's own texts differ between systems.
  private static func reason(_ code: Int32) -> String {
    switch code {
    case ENOENT: "there is no such file"
    case EACCES, EPERM: "permission denied"
    default: "the system refused to read it, code \(code)"
    }
  }
}
