import AsyncInstantSearch
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

/// What this process takes of the machine.
enum ProcessFigures {
  /// Processor time so far, of user and system, in microseconds.
  static var processorTime: Double { time(of: CLOCK_PROCESS_CPUTIME_ID) }

  /// Processor time of the calling thread so far, of user and system, in microseconds.
  static var threadTime: Double { time(of: CLOCK_THREAD_CPUTIME_ID) }

  private static func time(of clock: clockid_t) -> Double {
    var time = timespec()
    guard unsafe clock_gettime(clock, &time) == 0 else { return 0 }
    return Double(time.tv_sec) * 1_000_000 + Double(time.tv_nsec) / 1000
  }

  /// Resident memory, in kilobytes; 0 where the system does not tell.
  static var memory: Int { status("VmRSS") }

  /// Threads; 0 where the system does not tell.
  static var threadCount: Int { status("Threads") }

  /// Open files, sockets included; 0 where the system does not tell.
  static var descriptorCount: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
  }

  private static func status(_ name: String) -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
      return 0
    }
    for line in text.split(separator: "\n") where line.hasPrefix(name + ":") {
      return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
    }
    return 0
  }
}
