import InstantSearchAPI
import InstantSearchJSON

/// The contents of a file with a change of keys on each line.
struct ServiceKeyLines {
  /// The changes, in order.
  let changes: [ServiceKeyChange]
  /// The size of the lines, in bytes.
  let byteCount: Int
  /// Whether lines can be added after these bytes.
  let isComplete: Bool

  /// The maximum size of the bytes that an interrupted write leaves: those of one call.
  private static let maximumInterrupted = 1 << 25

  /// Reads the bytes of a file.
  ///
  /// - Throws: Status 400 with the line that is wrong.
  init(_ bytes: [UInt8]) throws {
    var changes: [ServiceKeyChange] = []
    var (start, number) = (0, 1)
    while let end = bytes[start...].firstIndex(of: .lineFeed) {
      let line = bytes[start..<end]
      if !line.isEmpty {
        do { changes.append(try Self.change(line, at: number)) } catch {
          guard Self.isInterrupted(bytes[start...]) else { throw error }
          break
        }
      }
      (start, number) = (end + 1, number + 1)
    }
    byteCount = start
    let rest = bytes[start...]
    // A line without a line end was not acknowledged. If it is complete, a person may have written
    // it.
    let last = rest.isEmpty ? nil : try? Self.change(rest, at: number)
    if let last {
      changes.append(last)
    } else if !Self.isInterrupted(rest) {
      _ = try Self.change(rest, at: number)
    }
    self.changes = changes
    isComplete = last == nil
  }

  /// The lines of changes.
  static func bytes(of changes: [ServiceKeyChange]) -> [UInt8] {
    changes.flatMap { change in
      var writer = JSONWriter()
      change.write(to: &writer)
      return writer.bytes + [.lineFeed]
    }
  }

  /// Whether an interrupted write of changes can have left bytes: the beginning of a line, or a
  /// line with zeros in place of some bytes, which no text of a person has. Changes after it count,
  /// so such a line before them is damage.
  private static func isInterrupted(_ rest: ArraySlice<UInt8>) -> Bool {
    guard rest.count <= maximumInterrupted else { return false }
    let line = rest.prefix { $0 != .lineFeed }
    if line.contains(0) {
      return !rest[line.endIndex...].split(separator: .lineFeed).contains {
        (try? change($0, at: 0)) != nil
      }
    }
    if rest.contains(.lineFeed) || (try? JSONDocument(rest)) != nil { return false }
    return ["saved", "deleted", "restored"].contains { name in
      zip("{\"\(name)\":".utf8, rest).allSatisfy { $0 == $1 }
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
