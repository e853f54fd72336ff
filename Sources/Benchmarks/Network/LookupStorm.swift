import AlgoliaTransport
import AsyncInstantSearch
import Foundation

/// Cancelled calls to hosts whose names are not found in time: whether their lookups, which nothing
/// can end, leave threads and descriptors behind.
///
/// It tells the most where the name server is silent; elsewhere a lookup is over at once.
enum LookupStorm {
  private static let roundCount = 20
  private static let callCount = 64
  /// Those of the lookups, and those that any such process has.
  private static let largestGrowth = 32

  /// Makes and cancels the calls, and prints what the process has afterwards.
  ///
  /// - Throws: ``Mismatch`` when there are many more threads or descriptors than before.
  static func report(asJSON: Bool) async throws {
    let exchange = try NetworkContender.available[0].makeExchange()
    let threads = ProcessFigures.threadCount
    let descriptors = ProcessFigures.descriptorCount
    for round in 0..<roundCount {
      await withTaskGroup(of: Void.self) { group in
        for call in 0..<callCount {
          group.addTask {
            let request = HTTPExchangeRequest(
              method: .get, url: "http://host-\(round)-\(call % 8).example/", timeout: .seconds(60))
            _ = try? await exchange(request)
          }
        }
        try? await Task.sleep(for: .milliseconds(20))
        group.cancelAll()
      }
    }
    let newThreads = ProcessFigures.threadCount - threads
    let newDescriptors = ProcessFigures.descriptorCount - descriptors
    print(
      asJSON
        ? #"{"name":"lookups","threads":\#(newThreads),"descriptors":\#(newDescriptors)}"#
        : "lookups: after \(roundCount * callCount) cancelled calls there are \(newThreads) more "
          + "threads and \(newDescriptors) more descriptors")
    guard max(newThreads, newDescriptors) <= largestGrowth else {
      throw Mismatch(description: "lookups of cancelled calls are not bounded")
    }
  }
}
