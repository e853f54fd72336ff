import AsyncInstantSearch
import Foundation
import Synchronization

/// A child process that runs to its end.
enum ChildProcess {
  /// The error of a program that failed.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Runs this program with other arguments and returns its output.
  static func ofThisProgram(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> String {
    guard let program = Bundle.main.executableURL else {
      throw Failure(description: "the program's own file is not known")
    }
    return try run(program, arguments, environment: environment)
  }

  /// Runs a program with additional environment variables and returns its output.
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

  /// Calls the body with a file of the given bytes, which exists during the call.
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
  /// A child process that runs this program in parallel. Its output can be read, and it can be
  /// killed.
  final class RunningChild {
    /// The end of a process.
    enum Ending {
      /// It exited with status 0 and printed this.
      case ended(String)
      /// It exited with another status, or a signal ended it, whose number is negative here.
      case crashed(Int32)
      /// It was killed when its time was up.
      case hung
    }

    private let process = Process()
    /// Closed when this process ends in any way, which the child detects.
    private let input = Pipe()
    private let output = Pipe()
    private var received = Data()

    /// Starts this program with other arguments and additional environment variables.
    init(_ arguments: [String], environment: [String: String] = [:]) throws {
      guard let program = Bundle.main.executableURL else {
        throw ChildProcess.Failure(description: "the program's own file is not known")
      }
      process.executableURL = program
      process.arguments = arguments
      process.standardInput = input
      process.standardOutput = output
      // The output of a crash takes seconds, and is not read.
      process.standardError = FileHandle.nullDevice
      process.environment = ProcessInfo.processInfo.environment
        .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        .merging(environment) { $1 }
      try process.run()
    }

    /// The ID of the process.
    var id: Int32 { process.processIdentifier }

    /// Waits for more output. Empty at the end.
    func nextOutput() -> Data { output.fileHandleForReading.availableData }

    /// Waits for the next line of output. `nil` at the end.
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

    /// Kills the process.
    func kill() {
      _ = Foundation.kill(id, SIGKILL)
    }

    /// Waits for the end of the process, and kills it after a time.
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

  /// Kills a process that has not ended in time, and no later process with the same ID.
  private final class Killer: Sendable {
    private struct State {
      var isRetired = false
      var hasKilled = false
    }

    private let process: Int32
    private let state = Mutex(State())

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

    /// Stops the timer. Returns whether it killed the process.
    func retire() -> Bool {
      state.withLock { state in
        state.isRetired = true
        return state.hasKilled
      }
    }
  }
#endif

/// The resource use of this process.
enum ProcessFigures {
  /// The user and system processor time so far, in microseconds.
  static var processorTime: Double { time(of: CLOCK_PROCESS_CPUTIME_ID) }

  /// The user and system processor time of the calling thread so far, in microseconds.
  static var threadTime: Double { time(of: CLOCK_THREAD_CPUTIME_ID) }

  private static func time(of clock: clockid_t) -> Double {
    var time = timespec()
    guard unsafe clock_gettime(clock, &time) == 0 else { return 0 }
    return Double(time.tv_sec) * 1_000_000 + Double(time.tv_nsec) / 1000
  }

  /// The resident memory in kilobytes, or 0 if unknown.
  static var memory: Int { status("VmRSS") }

  /// The greatest resident memory so far in kilobytes, or 0 if unknown.
  static var peakMemory: Int { status("VmHWM") }

  /// Resets the greatest resident memory to the current one, if the system supports it.
  static func resetPeakMemory() {
    try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
  }

  /// Returns free memory of the heap to the system, where the C library keeps it.
  static func releaseFreeMemory() {
    // Swift's module of the GNU C library leaves it out.
    guard let program = unsafe dlopen(nil, RTLD_NOW),
      let symbol = unsafe dlsym(program, "malloc_trim")
    else { return }
    // In the GNU C library it is a function of this type.
    _ = unsafe unsafeBitCast(symbol, to: (@convention(c) (Int) -> CInt).self)(0)
  }

  /// The number of threads, or 0 if unknown.
  static var threadCount: Int { status("Threads") }

  /// The number of open files and sockets, or 0 if unknown.
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
