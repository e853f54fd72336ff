import AsyncInstantSearch
import Foundation

/// The visitors whose pages are open.
actor Visitors {
  /// The most pages that are open at once.
  private let limit: Int
  private var visitors: [String: Visitor] = [:]

  init(limit: Int) { self.limit = limit }

  var count: Int { visitors.count }

  /// Adds a visitor; `nil` if there are too many.
  func add(_ make: @Sendable (_ id: String) throws -> Visitor) throws -> (id: String, Visitor)? {
    if visitors.count >= limit { return nil }
    // Nobody guesses it, so nobody acts for another visitor.
    let id = UUID().uuidString
    let visitor = try make(id)
    visitors[id] = visitor
    return (id, visitor)
  }

  func find(_ id: String) -> Visitor? { visitors[id] }

  func remove(_ id: String) { visitors[id] = nil }

  /// Keeps all connections alive, until the task is cancelled.
  func keepAlive() async throws {
    while true {
      try await Task.sleep(for: .seconds(15))
      for visitor in visitors.values { visitor.keepAlive() }
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
