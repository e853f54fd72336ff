import Foundation
import Synchronization
import Testing

/// The tests that compare this package with recordings of InstantSearch.js.
@Suite(VectorReport.Printing()) enum VectorsOfInstantSearchTests {}

/// Counts what the tests have compared, and what they have excused.
final class VectorReport: Sendable, CustomStringConvertible {
  @TaskLocal static var current = VectorReport()

  private let compared = Mutex<[String: Int]>([:])
  private let excused = Mutex<[Exemption: Int]>([:])

  /// Something was compared.
  func compare(_ name: String, count: Int = 1) {
    compared.withLock { $0[name, default: 0] += count }
  }

  /// An exemption has excused a difference.
  func excuse(_ exemption: Exemption, count: Int = 1) {
    excused.withLock { $0[exemption, default: 0] += count }
  }

  var description: String {
    let compared = compared.withLock { $0 }.sorted { $0.key < $1.key }
    let excused = excused.withLock { $0 }
    let exemptions = Exemption.allCases.map { "  \($0) \(excused[$0] ?? 0): \($0.rawValue)" }
    return """
      Compared with InstantSearch.js:
      \(compared.map { "  \($0.key): \($0.value)" }.joined(separator: "\n"))
      Excused:
      \(exemptions.joined(separator: "\n"))
      """
  }

  /// Prints the report when all tests of the suite have ended.
  struct Printing: SuiteTrait, TestScoping {
    func provideScope(
      for test: Test, testCase: Test.Case?,
      performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
      let report = VectorReport()
      try await VectorReport.$current.withValue(report, operation: function)
      // One piece, between the lines of the test runner.
      FileHandle.standardError.write(Data("\(report)\n".utf8))
    }
  }
}
