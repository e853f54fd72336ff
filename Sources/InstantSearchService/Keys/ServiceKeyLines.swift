import InstantSearchAPI
import InstantSearchJSON

/// The contents of a file of keys: on each line a change, or an array of changes that were written
/// together.
struct ServiceKeyLines {
  /// The changes, in order.
  let changes: [ServiceKeyChange]
  /// The number of the line of each change, from 1.
  let lineNumbers: [Int]
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
    var lineNumbers: [Int] = []
    func add(_ line: ArraySlice<UInt8>, at number: Int) throws {
      for change in try Self.changes(line, at: number) {
        changes.append(change)
        lineNumbers.append(number)
      }
    }
    var (start, number) = (0, 1)
    while let end = bytes[start...].firstIndex(of: .lineFeed) {
      let line = bytes[start..<end]
      if !line.isEmpty {
        do { try add(line, at: number) } catch {
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
    isComplete = rest.isEmpty || Self.isInterrupted(rest)
    if !isComplete { try add(rest, at: number) }
    self.changes = changes
    self.lineNumbers = lineNumbers
  }

  /// Returns the lines of changes, one for each.
  static func lines(of changes: [ServiceKeyChange]) -> [UInt8] {
    changes.flatMap { line(of: [$0]) }
  }

  /// Returns one line for changes that are written together: after a power failure, either all of
  /// them are there or none.
  static func line(of changes: [ServiceKeyChange]) -> [UInt8] {
    var writer = JSONWriter()
    if changes.count == 1 {
      changes[0].write(to: &writer)
    } else {
      writer.beginArray()
      for change in changes { change.write(to: &writer) }
      writer.endArray()
    }
    return writer.bytes + [.lineFeed]
  }

  /// Whether an interrupted write can have left bytes: the beginning of a line, or a line with
  /// zeros in place of some bytes, which no text of a person has. Changes after it count, so such a
  /// line before them is damage.
  private static func isInterrupted(_ rest: ArraySlice<UInt8>) -> Bool {
    guard rest.count <= maximumInterrupted else { return false }
    let line = rest.prefix { $0 != .lineFeed }
    if line.contains(0) {
      return !rest[line.endIndex...].split(separator: .lineFeed).contains {
        (try? changes($0, at: 0)) != nil
      }
    }
    if rest.contains(.lineFeed) { return false }
    let beginnings = ["saved", "deleted", "restored"].flatMap { name in
      ["{\"\(name)\":", "[{\"\(name)\":"]
    }
    guard beginnings.contains(where: { zip($0.utf8, rest).allSatisfy { $0 == $1 } }) else {
      return false
    }
    // A text that is only unfinished has its mistake at its end.
    do throws(JSONError) {
      _ = try JSONDocument(rest)
      return false
    } catch {
      return error.offset == rest.count
    }
  }

  private static func changes(
    _ line: ArraySlice<UInt8>, at number: Int
  ) throws -> [ServiceKeyChange] {
    try named("line \(number)") {
      let root = try JSONDocument(line).root
      if root.kind == .array { return try root.elements.map { try ServiceKeyChange($0) } }
      return [try ServiceKeyChange(root)]
    }
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
