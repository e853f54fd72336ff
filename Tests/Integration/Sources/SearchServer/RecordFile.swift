import AsyncInstantSearch
import Foundation

/// The records of a file: a JSON array, or one object a line, which are read as they are needed.
struct RecordFile: AsyncSequence, Sendable {
  private let url: URL
  /// The size of the file, in bytes.
  let size: Int

  /// Opens a file.
  init(_ url: URL) throws {
    self.url = url
    size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int ?? 0
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(url: url) }

  /// Reads one record after the other.
  struct AsyncIterator: AsyncIteratorProtocol {
    private let url: URL
    private var file: FileHandle?
    private var buffer = Data()
    private var array: [JSON].Iterator?
    private var isAtEnd = false

    fileprivate init(url: URL) { self.url = url }

    mutating func next() async throws -> JSON? {
      if file == nil { try open() }
      if array != nil { return array?.next() }
      while let line = try nextLine() {
        if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { continue }
        return try JSON(parsing: Array(line))
      }
      return nil
    }

    private mutating func open() throws {
      let file = try FileHandle(forReadingFrom: url)
      self.file = file
      try fill()
      guard buffer.first(where: { !" \n\r\t".utf8.contains($0) }) == UInt8(ascii: "[") else {
        return
      }
      while !isAtEnd { try fill() }
      array = try JSON(parsing: Array(buffer)).arrayValue?.makeIterator()
      buffer = Data()
    }

    private mutating func fill() throws {
      guard let more = try file?.read(upToCount: 1 << 16), !more.isEmpty else {
        isAtEnd = true
        return
      }
      buffer += more
    }

    private mutating func nextLine() throws -> Data? {
      while true {
        if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
          defer { buffer = buffer[(end + 1)...] }
          return buffer[..<end]
        }
        if isAtEnd {
          defer { buffer = Data() }
          return buffer.isEmpty ? nil : buffer
        }
        buffer = Data(buffer)
        try fill()
      }
    }
  }
}

/// A bar on the terminal.
enum ProgressBar {
  static func show(_ name: String, _ state: IndexingProgress.State, of size: Int) {
    let fraction = size > 0 ? min(Double(state.bytes) / Double(size), 1) : 1
    let width = 30
    let filled = Int(fraction * Double(width))
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    print("\r\(name) [\(bar)] \(state.saved) records", terminator: "")
    fflush(nil)
  }
}
