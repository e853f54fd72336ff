import AlgoliaTransport
import AsyncInstantSearch
import Foundation

/// Writes many records to a search server through the client, and prints how long it took and how
/// much memory this process needed at most.
///
///     IndexingLoad PORT ADMIN_KEY COUNT
@main
struct IndexingLoad {
  struct Product: Codable, Sendable {
    let objectID: String
    let name: String
    let category: String
    let price: Int
    let description: String
  }

  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let port = Int(arguments[1]), let count = Int(arguments[3]) else {
      print("usage: IndexingLoad PORT ADMIN_KEY COUNT")
      return
    }
    let client = SearchClient(
      transport: AlgoliaTransport(
        appID: "APP", apiKey: arguments[2],
        configuration: .init(
          hosts: [SearchHost("127.0.0.1", scheme: .http, port: port)])))
    let progress = IndexingProgress()
    let clock = ContinuousClock()
    let start = clock.now
    async let report = client.save(
      Products(count: count), in: "products", progress: progress)
    var shown = 0
    for await state in progress where state.saved >= shown + count / 10 {
      shown = state.saved
      print("\(state.saved) records, \(state.bytes / 1_000_000) MB, \(clock.now - start)")
    }
    let result = try await report
    try await result.wait()
    print("\(result.saved) records in \(clock.now - start), \(peakMegabytes()) MB at most here")
  }

  /// Products that are made as they are needed.
  struct Products: AsyncSequence, Sendable {
    let count: Int

    struct AsyncIterator: AsyncIteratorProtocol {
      let count: Int
      var number = 0

      mutating func next() async -> Product? {
        guard number < count else { return nil }
        defer { number += 1 }
        let words = (0..<12).map { "word\((number &* 31 &+ $0 &* 17) % 5000)" }
        return Product(
          objectID: "p\(number)", name: words.prefix(3).joined(separator: " "),
          category: "category \(number % 40)", price: number % 1000,
          description: words.joined(separator: " "))
      }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(count: count) }
  }

  /// The most memory that this process had, in megabytes; 0 where it is not known.
  private static func peakMegabytes() -> Int {
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
    return (line?.split(separator: " ").compactMap { Int($0) }.first ?? 0) / 1024
  }
}
