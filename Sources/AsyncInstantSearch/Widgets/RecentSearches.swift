/// The texts that a user has searched for, the newest first, in a storage of the application.
///
/// ```swift
/// let recent = RecentSearches(defaults.stringArray(forKey: "recent") ?? []) { searches in
///   defaults.set(searches, forKey: "recent")
/// }
/// ```
///
/// An ``Autocomplete`` shows them and adds each submitted text. A server creates them for each
/// request, for example from a cookie, and adds the text of the search to the cookie itself.
public final class RecentSearches: Sendable {
  private struct State: Sendable {
    var searches: [String]
    var isSaving = false
  }

  /// The maximum number of texts.
  public let limit: Int
  private let save: @Sendable ([String]) -> Void
  private let state: Lock<State>

  /// Creates earlier searches.
  ///
  /// - Parameters:
  ///   - searches: The texts, the newest first. Defaults to none.
  ///   - limit: The maximum number of texts. The oldest are removed first. Defaults to 20; a number
  ///     below 1 becomes 1.
  ///   - save: Saves the texts after each change, for example to a file. Calls do not overlap, and
  ///     the last one has the newest texts. Defaults to nothing.
  public init(
    _ searches: [String] = [], limit: Int = 20,
    save: @escaping @Sendable ([String]) -> Void = { _ in }
  ) {
    self.limit = max(limit, 1)
    self.save = save
    let texts = searches.reversed().reduce([]) { $0.inserting($1, limit: max(limit, 1)) }
    state = Lock(State(searches: texts))
  }

  /// The texts, the newest first.
  public var searches: [String] { state.withLock { $0.searches } }

  /// Adds a text in front of the others. A duplicate is moved. Surrounding spaces are removed, and
  /// an empty text is not added.
  public func insert(_ text: String) { change { $0.inserting(text, limit: limit) } }

  /// Removes a text.
  public func remove(_ text: String) { change { $0.removing(text) } }

  /// Removes all texts.
  public func removeAll() { change { _ in [] } }

  private func change(_ change: ([String]) -> [String]) {
    var unsaved = state.withLock { state -> [String]? in
      let newest = change(state.searches)
      if newest == state.searches { return nil }
      state.searches = newest
      // Another thread that saves has to save this, too.
      defer { state.isSaving = true }
      return state.isSaving ? nil : newest
    }
    while let texts = unsaved {
      save(texts)
      unsaved = state.withLock { state in
        if state.searches != texts { return state.searches }
        state.isSaving = false
        return nil
      }
    }
  }
}

extension RecentSearches: Hashable {
  /// Whether both are the same object.
  public static func == (left: RecentSearches, right: RecentSearches) -> Bool { left === right }

  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension [String] {
  /// The texts with a text moved or inserted at the front.
  func inserting(_ text: String, limit: Int) -> [String] {
    let text = text.trimmingSpaces
    return text.isEmpty ? self : Array(([text] + removing(text)).prefix(limit))
  }

  func removing(_ text: String) -> [String] { filter { $0 != text } }
}

extension String {
  fileprivate var trimmingSpaces: String {
    var rest = drop { $0.isWhitespace }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
