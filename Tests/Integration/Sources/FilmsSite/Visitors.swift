import AsyncInstantSearch
import Foundation
import Synchronization

/// The visitors whose pages are open.
final class Visitors: Sendable {
  /// The most pages that are open at once.
  private let limit: Int
  private let visitors = Mutex<[String: Visitor]>([:])

  init(limit: Int) { self.limit = limit }

  var count: Int { visitors.withLock { $0.count } }

  /// Adds a visitor; returns `false` if there are too many.
  func add(_ visitor: Visitor) -> Bool {
    visitors.withLock { visitors in
      if visitors.count >= limit { return false }
      visitors[visitor.id] = visitor
      return true
    }
  }

  func find(_ id: String) -> Visitor? { visitors.withLock { $0[id] } }

  /// Ends a visitor, whose connection is gone.
  func remove(_ visitor: Visitor) {
    // It is released without the lock.
    let removed = visitors.withLock { $0.removeValue(forKey: visitor.id) }
    removed?.end()
  }

  /// Keeps all connections alive, until the task is cancelled.
  func keepAlive() async throws {
    while true {
      try await Task.sleep(for: .seconds(15))
      for visitor in visitors.withLock({ Array($0.values) }) { visitor.keepAlive() }
    }
  }
}

extension Encodable {
  /// The JSON of the value.
  func json() throws -> String {
    String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
  }
}

extension [String: String] {
  /// The fields of a form, as a browser encodes them; none if they are not encoded so.
  init(formEncoded text: String) {
    let items = URLComponents(string: "?" + text.replacing("+", with: "%20"))?.queryItems ?? []
    self.init(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
  }
}
