import Foundation

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
