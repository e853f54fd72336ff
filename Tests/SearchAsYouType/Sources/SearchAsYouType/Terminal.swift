import Foundation

/// The terminal with its alternate screen. What it showed before comes back at the end.
struct Terminal {
  private let settings: String

  /// Takes the terminal: raw keys, the alternate screen, no line wrapping, and marks around pasted
  /// text.
  init() throws {
    try SerialSettings.checkIsForeground()
    settings = try SerialSettings.saved()
    do {
      try take()
    } catch {
      restore()
      throw error
    }
  }

  /// Takes the terminal, again after ``restore()``.
  func take() throws {
    try SerialSettings.setRaw()
    try write("\u{1B}[?1049h\u{1B}[?7l\u{1B}[?2004h\u{1B}[2J")
  }

  /// Writes the text at once.
  func write(_ text: String) throws {
    let text = TerminalCharacters.current.encode(text)
    try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }

  /// Restores the screen and the settings. The errors of a terminal that was closed are ignored.
  func restore() {
    // A terminal without an alternate screen, or that loses it with a new size, is empty then.
    try? write("\u{1B}[2J\u{1B}[H\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
    try? SerialSettings.restore(settings)
  }
}

/// What comes from the terminal: bytes, changes of its size, and signals to end.
struct TerminalInput {
  enum Event: Sendable {
    case bytes([UInt8])
    case resized(ScreenSize)
    /// No more bytes come: the terminal was closed.
    case ended
    /// The process is asked to end.
    case signal(Int32)
  }

  private let sources: [any DispatchSourceProtocol]

  /// Reads until `cancel()`. From now on, the signals do not end the process.
  ///
  /// - Parameter send: Receives the events, one at a time.
  init(send: @escaping @Sendable (Event) -> Void) {
    let queue = DispatchQueue(label: "TerminalInput")
    let reader = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: queue)
    reader.setEventHandler {
      // As many bytes as there are, because reading more would wait for them. If there are none,
      // the read returns at once: the terminal was closed.
      let count = max(1, Int(clamping: reader.data))
      if let data = try? FileHandle.standardInput.read(upToCount: count), !data.isEmpty {
        send(.bytes(Array(data)))
      } else {
        reader.cancel()
        send(.ended)
      }
    }
    var sources: [any DispatchSourceProtocol] = [reader]
    sources.append(
      Self.source(of: SIGWINCH, on: queue) {
        if let size = try? SerialSettings.size() { send(.resized(size)) }
      })
    for number in [SIGTERM, SIGHUP, SIGINT, SIGQUIT] {
      sources.append(Self.source(of: number, on: queue) { send(.signal(number)) })
    }
    self.sources = sources
    for source in sources { source.resume() }
  }

  func cancel() {
    for source in sources { source.cancel() }
  }

  private static func source(
    of number: Int32, on queue: DispatchQueue, handler: @escaping @Sendable () -> Void
  ) -> any DispatchSourceProtocol {
    #if canImport(Darwin)
      // There a source receives a signal only if the process ignores it.
      signal(number, SIG_IGN)
    #endif
    let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
    source.setEventHandler(handler: handler)
    return source
  }
}

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
