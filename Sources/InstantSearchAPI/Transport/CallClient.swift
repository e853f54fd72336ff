/// The client for whom a service makes a call.
package struct CallClient: Sendable {
  /// Tells it from others, such as its address: a back end lets clients take turns.
  package let name: String
  /// The bytes of the response that are not part of this call.
  private let offset: Int
  private let takes: @Sendable (Int) -> Bool

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - name: Tells the client from others.
  ///   - takes: Takes the memory for a number of bytes of a response; returns `false` if there is
  ///     none. Defaults to always.
  package init(_ name: String, takes: @escaping @Sendable (Int) -> Bool = { _ in true }) {
    self.init(name, 0, takes)
  }

  private init(_ name: String, _ offset: Int, _ takes: @escaping @Sendable (Int) -> Bool) {
    self.name = name
    self.offset = offset
    self.takes = takes
  }

  /// Returns the client of a call whose response follows a number of bytes of others.
  package func after(_ count: Int) -> CallClient { CallClient(name, offset + count, takes) }

  /// Takes the memory for a response of a number of bytes, while a back end makes it.
  ///
  /// - Returns: Whether there is memory. If not, the call must end.
  package func takes(_ count: Int) -> Bool { takes(offset + count) }
}
