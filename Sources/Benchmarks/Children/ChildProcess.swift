import Foundation

/// Another run of a program, waited for.
enum ChildProcess {
  /// The error of a program that did not end well.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Runs this benchmark itself with other arguments and returns what it prints.
  static func ofThisProgram(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> String {
    guard let program = Bundle.main.executableURL else {
      throw Failure(description: "the program's own file is not known")
    }
    return try run(program, arguments, environment: environment)
  }

  /// Runs a program with some more environment variables and returns what it prints.
  @discardableResult
  static func run(
    _ program: URL, _ arguments: [String], environment: [String: String] = [:]
  ) throws -> String {
    #if os(macOS) || os(Linux)
      let process = Process()
      let output = Pipe()
      process.executableURL = program
      process.arguments = arguments
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      let text = try output.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else {
        throw Failure(
          description: "\(program.lastPathComponent) ended with status \(process.terminationStatus)"
        )
      }
      return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    #else
      throw Failure(description: "this system starts no programs")
    #endif
  }

  /// Calls the body with a file of these bytes, which is there for as long.
  static func withFile<Result>(
    _ bytes: [UInt8], _ body: (URL) throws -> Result
  ) throws -> Result {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("benchmark-\(UUID().uuidString)")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try body(file)
  }
}
