import Foundation

/// The settings of the terminal that is the standard input, read and written by `stty`: the calls
/// of the C library would take pointers.
enum SerialSettings {
  /// Throws if another program uses the terminal, as after `SearchAsYouType &` in a shell.
  static func checkIsForeground() throws {
    let foreground = tcgetpgrp(STDIN_FILENO)
    // It is negative if the terminal does not control this process.
    guard foreground < 0 || foreground == getpgrp() else {
      throw TerminalError(description: "Run the program in the foreground of the terminal.")
    }
  }

  /// The settings in a form for ``restore(_:)``.
  static func saved() throws -> String {
    try stty(["-g"])
  }

  /// Passes every key on when it is pressed, without echoing it and without making it a signal.
  static func setRaw() throws {
    _ = try stty(["raw", "-echo"])
  }

  static func restore(_ settings: String) throws {
    _ = try stty([settings])
  }

  static func size() throws -> ScreenSize {
    let numbers = try stty(["size"]).split(separator: " ").compactMap { Int($0) }
    // A terminal that does not know its size says 0.
    guard numbers.count == 2, numbers[0] > 0, numbers[1] > 0 else {
      return ScreenSize(columns: 80, rows: 24)
    }
    return ScreenSize(columns: numbers[1], rows: numbers[0])
  }

  private static func stty(_ arguments: [String]) throws -> String {
    // `Process` starts its program in the background, where a change of the terminal would stop it.
    signal(SIGTTOU, SIG_IGN)
    let process = Process()
    process.executableURL = URL(filePath: "/bin/stty")
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    // `waitUntilExit` looks only every 50 milliseconds.
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    ended.wait()
    guard process.terminationStatus == 0 else {
      throw TerminalError(description: "stty \(arguments.joined(separator: " ")) failed.")
    }
    return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

struct TerminalError: Error, CustomStringConvertible {
  let description: String
}
