import AsyncInstantSearch
import Foundation

#if os(macOS) || os(Linux)
  /// Another run of this program, beside this one, which can be listened to and killed.
  final class RunningChild {
    /// How it came to its end.
    enum Ending {
      /// By itself, with status 0, having printed this.
      case ended(String)
      /// By itself with another status, or by a signal, whose number is negative here.
      case crashed(Int32)
      /// It was still running when its time was up, and was killed.
      case hung
    }

    private let process = Process()
    /// Ends with this process, however it ends, and by that the child can tell.
    private let input = Pipe()
    private let output = Pipe()
    private var received = Data()

    /// Starts this program with other arguments, and some more environment variables.
    init(_ arguments: [String], environment: [String: String] = [:]) throws {
      guard let program = Bundle.main.executableURL else {
        throw ChildProcess.Failure(description: "the program's own file is not known")
      }
      process.executableURL = program
      process.arguments = arguments
      process.standardInput = input
      process.standardOutput = output
      // What a crash prints takes seconds, and is not read.
      process.standardError = FileHandle.nullDevice
      process.environment = ProcessInfo.processInfo.environment
        .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        .merging(environment) { $1 }
      try process.run()
    }

    /// The process's number.
    var id: Int32 { process.processIdentifier }

    /// Waits for more that it prints; empty when there will be none.
    func nextOutput() -> Data { output.fileHandleForReading.availableData }

    /// Waits for the next line that it prints; `nil` when there will be none.
    func nextLine() -> String? {
      while true {
        if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
          defer { received = Data(received[(end + 1)...]) }
          return String(decoding: received[..<end], as: UTF8.self)
        }
        let more = nextOutput()
        if more.isEmpty { return nil }
        received += more
      }
    }

    /// Ends it, whatever it is doing.
    func kill() {
      _ = Foundation.kill(id, SIGKILL)
    }

    /// Waits for its end, and kills it when that takes too long.
    func end(within seconds: Double) -> Ending {
      let killer = Killer(process: id)
      DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { killer.kill() }
      var lines: [String] = []
      while let line = nextLine() { lines.append(line) }
      process.waitUntilExit()
      if killer.retire() { return .hung }
      let isSignal = process.terminationReason == .uncaughtSignal
      let status = isSignal ? -process.terminationStatus : process.terminationStatus
      return status == 0 ? .ended(lines.joined(separator: "\n")) : .crashed(status)
    }
  }

  /// Kills a process that has not ended in time, and no other that is given its number later.
  private final class Killer: Sendable {
    private struct State {
      var isRetired = false
      var hasKilled = false
    }

    private let process: Int32
    private let state = Lock(State())

    init(process: Int32) {
      self.process = process
    }

    func kill() {
      state.withLock { state in
        if state.isRetired { return }
        state.hasKilled = true
        _ = Foundation.kill(process, SIGKILL)
      }
    }

    /// Lets the process be; whether it was killed.
    func retire() -> Bool {
      state.withLock { state in
        state.isRetired = true
        return state.hasKilled
      }
    }
  }
#endif
