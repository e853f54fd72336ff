import AsyncInstantSearch
import Foundation
import Synchronization

/// The visitors whose pages are open.
final class Visitors: Sendable {
  /// The most pages that are open at once.
  private let limit: Int
  /// The most pages of one address.
  private let limitOfAddress: Int

  private struct State {
    var visitors: [String: Visitor] = [:]
    var counts: [String: Int] = [:]
  }

  private let state = Mutex(State())

  init(limit: Int, limitOfAddress: Int) {
    self.limit = limit
    self.limitOfAddress = limitOfAddress
  }

  var count: Int { state.withLock { $0.visitors.count } }

  /// Adds a visitor; returns `false` if there are too many.
  func add(_ visitor: Visitor, from address: String) -> Bool {
    state.withLock { state in
      let own = state.counts[address] ?? 0
      if state.visitors.count >= limit || own >= limitOfAddress { return false }
      state.visitors[visitor.id] = visitor
      state.counts[address] = own + 1
      return true
    }
  }

  func find(_ id: String) -> Visitor? { state.withLock { $0.visitors[id] } }

  /// Ends a visitor, whose connection is gone.
  func remove(_ visitor: Visitor, from address: String) {
    // It is released without the lock.
    let removed = state.withLock { state in
      let removed = state.visitors.removeValue(forKey: visitor.id)
      if removed != nil {
        let own = (state.counts[address] ?? 0) - 1
        state.counts[address] = own > 0 ? own : nil
      }
      return removed
    }
    removed?.end()
  }

  /// Keeps all connections alive, until the task is cancelled.
  func keepAlive() async throws {
    while true {
      try await Task.sleep(for: .seconds(15))
      for visitor in state.withLock({ Array($0.visitors.values) }) { visitor.keepAlive() }
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
