@testable import AsyncInstantSearchInsights
import Foundation
@testable import InstantSearchAPI

/// A system that reports every step to a test, and fails when the test directs it to.
final class WatchedSystem: Sendable {
  private struct State {
    var steps: [String] = []
    var failing: Range<Int> = 0..<0
  }

  private let state = Lock(State())

  /// The steps so far, including failed ones.
  var steps: [String] { state.withLock { $0.steps } }

  /// Makes steps fail, by their number from now on.
  func fail(_ steps: Range<Int>) {
    state.withLock { state in
      let count = state.steps.count
      let (end, isFar) = steps.upperBound.addingReportingOverflow(count)
      state.failing = (steps.lowerBound + count)..<(isFar ? .max : end)
    }
  }

  private func step(_ name: String) throws {
    let fails = state.withLock { state in
      defer { state.steps.append(name) }
      return state.failing.contains(state.steps.count)
    }
    // Too many open files.
    if fails { throw NSError(domain: NSPOSIXErrorDomain, code: 24) }
  }

  var system: JournalSystem {
    let real = JournalSystem()
    var system = real
    system.open = { path, purpose in
      try self.step("open \(purpose)")
      return try real.open(path, purpose)
    }
    system.lock = { file in
      try self.step("lock")
      return try real.lock(file)
    }
    system.restrict = { file in
      try self.step("restrict")
      try real.restrict(file)
    }
    system.write = { file, bytes in
      do {
        try self.step("write")
      } catch {
        // The error of a full disk.
        try real.write(file, Array(bytes.prefix(bytes.count / 2)))
        throw error
      }
      try real.write(file, bytes)
    }
    system.truncate = { file, length in
      try self.step("truncate")
      try real.truncate(file, length)
    }
    // Only a power failure would show the difference.
    system.synchronize = { _ in try self.step("synchronize") }
    system.rename = { path, newPath in
      try self.step("rename")
      try real.rename(path, newPath)
    }
    system.remove = { path in
      try self.step("remove")
      try real.remove(path)
    }
    system.nameCount = { path in
      try self.step("count names")
      return try real.nameCount(path)
    }
    return system
  }
}
