import InstantSearchAPI
import InstantSearchJSON

/// The contents of a file with a change of keys on each line.
struct ServiceKeyLines {
  /// The changes, in order.
  let changes: [ServiceKeyChange]
  /// The bytes of the lines.
  let size: Int
  /// Whether lines can be added after these bytes.
  let isCanonical: Bool

  /// Reads the bytes of a file.
  ///
  /// - Throws: Status 400 with the line that is wrong.
  init(_ bytes: [UInt8]) throws {
    let end = (bytes.lastIndex(of: .lineFeed) ?? -1) + 1
    let lines = bytes[..<end].split(separator: .lineFeed)
    var changes = try lines.enumerated().map { index, line in
      try Self.change(line, at: index + 1)
    }
    let rest = bytes[end...]
    // A line without a line end was not acknowledged. If it is complete, a person may have written
    // it.
    let last = rest.isEmpty ? nil : try? Self.change(rest, at: lines.count + 1)
    if let last {
      changes.append(last)
    } else if !Self.isBeginning(rest) {
      _ = try Self.change(rest, at: lines.count + 1)
    }
    self.changes = changes
    size = end
    isCanonical = last == nil
  }

  /// The lines of changes.
  static func bytes(of changes: [ServiceKeyChange]) -> [UInt8] {
    changes.flatMap { change in
      var writer = JSONWriter()
      change.write(to: &writer)
      return writer.bytes + [.lineFeed]
    }
  }

  /// Whether a write of a change that was cut off leaves such bytes, which are no whole JSON text.
  /// The disk can have zeros for those that it did not write.
  private static func isBeginning(_ rest: ArraySlice<UInt8>) -> Bool {
    guard rest.count <= 1 << 20 else { return false }
    var written = rest
    while written.last == 0 { written.removeLast() }
    if (try? JSONDocument(written)) != nil { return false }
    return ["saved", "deleted", "restored"].contains { name in
      zip("{\"\(name)\":".utf8, written).allSatisfy { $0 == $1 }
    }
  }

  private static func change(_ line: ArraySlice<UInt8>, at number: Int) throws -> ServiceKeyChange {
    try named("line \(number)") { try ServiceKeyChange(JSONDocument(line).root) }
  }

  private static func named<Value>(_ place: String, _ read: () throws -> Value) throws -> Value {
    do {
      return try read()
    } catch let error as ServiceError {
      throw ServiceError(400, "\(place): \(error.message)")
    } catch let error as JSONError {
      throw ServiceError(400, "\(place): \(error.message) in column \(error.column)")
    }
  }
}

extension UInt8 {
  fileprivate static let lineFeed = UInt8(ascii: "\n")
}
