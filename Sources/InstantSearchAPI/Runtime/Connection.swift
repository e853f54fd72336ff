/// A connection between two objects, which can be disconnected.
///
/// It can be dropped: the objects stay connected until ``disconnect()`` is called or one of them
/// is deallocated. A connection retains neither object.
public final class Connection: Sendable {
  /// A closure in a structure. In a debug build, each use of a generic lock around a bare closure
  /// would wrap the closure once more.
  private struct Undo: Sendable {
    let run: @Sendable (Connection) -> Void
  }

  private let undo: Lock<Undo?>

  /// Creates an active connection. `undo` is called at most once and without any lock.
  package convenience init(undo: @escaping @Sendable () -> Void) {
    self.init(undoing: { _ in undo() })
  }

  /// Creates an active connection whose `undo` receives the connection itself.
  package init(undoing undo: @escaping @Sendable (Connection) -> Void) {
    self.undo = Lock(Undo(run: undo))
  }

  /// A connection that has ended.
  package static var ended: Connection {
    let connection = Connection {}
    connection.disconnect()
    return connection
  }

  /// Whether the objects are still connected.
  public var isConnected: Bool { undo.withLock { $0 != nil } }

  /// Disconnects the objects. Later calls have no effect.
  public func disconnect() {
    let undo = undo.withLock { undo in
      defer { undo = nil }
      return undo
    }
    undo?.run(self)
  }
}

/// The newest connection of an owner to a source, such as a list's connection to its searcher.
///
/// - Connecting the same source again returns the same connection.
/// - Connecting another source ends the previous connection.
/// - Disconnecting has an effect only on the newest connection.
///
/// A link does not retain the source. A source that was deallocated equals no other, even one at
/// the same address. A connection that another thread is disconnecting is not returned again.
///
/// A link is a part of its owner's state, and the owner's lock guards it. It calls no foreign code:
/// an event returns an effect, which the owner performs and releases after it has left the lock.
/// The effect ends the previous connection, and keeps every object whose last reference would
/// otherwise be released under the lock.
package struct Link<Source: AnyObject & Sendable, Content: Sendable>: Sendable {
  package typealias Effect = @Sendable () -> Void

  private struct Entry: Sendable {
    weak var source: Source?
    let connection: Connection
    var content: Content

    mutating func update<Result>(_ body: (inout Content) -> Result) -> Result { body(&content) }
  }

  /// The result of connecting a source.
  package struct Outcome: Sendable {
    /// The connection to the source.
    package let connection: Connection
    /// The content of the connection when it was connected.
    package let content: Content
    /// Whether the source was not connected before.
    package let isNew: Bool
    /// Whether the connection replaces one to another source.
    package let replacesPrevious: Bool
    /// Ends the previous connection. No lock may be held.
    package let effect: Effect
  }

  private var entry: Entry?
  private let endContent: @Sendable (Content) -> Void

  /// Creates a link without a connection.
  ///
  /// - Parameter end: Ends the content of a connection that has ended, without any lock. Defaults
  ///   to nothing.
  package init(end: @escaping @Sendable (Content) -> Void = { _ in }) {
    endContent = end
  }

  /// The newest connection, unless it has ended.
  package var connection: Connection? { entry?.connection }

  /// The source of the newest connection. It may be the last reference, so release it after the
  /// lock.
  package var source: Source? { entry?.source }

  /// The content of a connection; `nil`, and not set, unless it is the newest.
  package subscript(connection: Connection) -> Content? {
    get { entry?.connection === connection ? entry?.content : nil }
    set {
      if let newValue, entry?.connection === connection { entry?.content = newValue }
    }
  }

  /// Changes the content of a connection in place, without the copies that the subscript makes.
  ///
  /// - Returns: The result of `body`. `nil` if the connection is not the newest.
  package mutating func update<Result>(
    _ connection: Connection, _ body: (inout Content) -> Result
  ) -> Result? {
    entry?.connection === connection ? entry?.update(body) : nil
  }

  /// The content of the newest connection; `nil`, and not set, without one.
  package var content: Content? {
    get { entry?.content }
    set {
      if let newValue { entry?.content = newValue }
    }
  }

  /// Connects a source, unless it is connected already.
  ///
  /// - Parameters:
  ///   - source: The source. `nil` equals no source, so it always gets a new connection.
  ///   - content: Creates the content of a new connection, under the owner's lock.
  ///   - undo: Called when the connection is disconnected, without any lock. It calls
  ///     ``disconnect(_:)`` with its argument, and must not retain the owner.
  package mutating func connect(
    to source: Source?, content: () -> Content, undo: @escaping @Sendable (Connection) -> Void
  ) -> Outcome {
    let current = entry?.source
    if let source, let entry, current === source, entry.connection.isConnected {
      return Outcome(
        connection: entry.connection, content: entry.content, isNew: false,
        replacesPrevious: false, effect: { withExtendedLifetime(current) {} })
    }
    let newest = Entry(
      source: source, connection: Connection(undoing: undo), content: content())
    let end = takeEnd()
    entry = newest
    return Outcome(
      connection: newest.connection, content: newest.content, isNew: true,
      replacesPrevious: end != nil, effect: { withExtendedLifetime(current) { end?() } })
  }

  /// Ends a connection if it is the newest.
  ///
  /// - Returns: Ends its content. `nil` if it is not the newest.
  package mutating func disconnect(_ connection: Connection) -> Effect? {
    entry?.connection === connection ? takeEnd() : nil
  }

  /// Removes the newest connection, and returns the effect that ends it.
  private mutating func takeEnd() -> Effect? {
    guard let previous = entry.take() else { return nil }
    return { [endContent] in
      endContent(previous.content)
      previous.connection.disconnect()
    }
  }
}
