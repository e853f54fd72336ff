extension CachingTransport {
  /// What a cache has done so far and what it holds.
  public struct Statistics: Sendable, Hashable {
    /// Calls that were answered from the cache.
    public var hits = 0
    /// Calls for which the wrapped transport was asked.
    public var misses = 0
    /// Calls that shared a call under way.
    public var shared = 0
    /// The answers that are kept; an answer that is too old counts until somebody asks for it, or
    /// until it has to make room.
    public var entries = 0
    /// The length of their keys, headers and bodies.
    public var bytes = 0

    /// Creates counts of nothing.
    public init() {}
  }
}

extension CachingTransport: CustomStringConvertible, CustomReflectable {
  /// The counts; neither keys nor answers are shown.
  public var description: String {
    let counts = statistics
    return "CachingTransport(\(counts.entries) entries, \(counts.bytes) bytes)"
  }

  /// A mirror of the counts.
  public var customMirror: Mirror { Mirror(self, children: ["statistics": statistics]) }
}
