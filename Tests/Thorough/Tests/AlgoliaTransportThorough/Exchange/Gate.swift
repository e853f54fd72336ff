@testable import InstantSearchAPI
@testable import AsyncInstantSearch
@testable import InstantSearchClient
import Foundation

/// Holds threads until a test lets them go.
final class Gate: Sendable {
  private let condition = NSCondition()
  private let isOpen = Lock(false)

  func wait() {
    condition.lock()
    while !isOpen.withLock({ $0 }) { condition.wait() }
    condition.unlock()
  }

  func open() {
    condition.lock()
    isOpen.withLock { $0 = true }
    condition.broadcast()
    condition.unlock()
  }
}
