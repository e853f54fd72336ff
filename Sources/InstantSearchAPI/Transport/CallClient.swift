/// The client for whom a service makes a call.
package struct CallClient: Sendable {
  /// Identifies the client, such as its address: a back end lets clients take turns.
  package let name: String
  /// The size of the response before the part of this call, in bytes.
  private let offset: Int
  private let takes: @Sendable (Int) -> Bool

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - name: Identifies the client.
  ///   - takes: Takes the memory for a number of bytes of a response; returns `false` if no memory
  ///     is left. By default, memory is always available.
  package init(_ name: String, takes: @escaping @Sendable (Int) -> Bool = { _ in true }) {
    self.init(name, 0, takes)
  }

  private init(_ name: String, _ offset: Int, _ takes: @escaping @Sendable (Int) -> Bool) {
    self.name = name
    self.offset = offset
    self.takes = takes
  }

  /// Returns the client for a call whose response follows other parts of the given size.
  package func after(_ count: Int) -> CallClient { CallClient(name, offset + count, takes) }

  /// Takes the memory for a response of a number of bytes, while a back end makes it.
  ///
  /// - Returns: Whether there is memory. If not, the call must end.
  package func takes(_ count: Int) -> Bool { takes(offset + count) }
}
