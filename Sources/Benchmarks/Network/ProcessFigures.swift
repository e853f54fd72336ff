import Foundation

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
