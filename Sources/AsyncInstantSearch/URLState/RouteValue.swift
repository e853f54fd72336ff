/// A value in the query of a URL: text, a list or named values.
///
/// A URL has no numbers and no Booleans. An ``IndexUIState`` keeps values of unknown meaning in
/// this form.
public enum RouteValue: Hashable, Sendable {
  /// Text that is not percent-encoded.
  case text(String)
  /// Values in order.
  case list([RouteValue])
  /// Named values, which have no order and are written sorted by name.
  case object([String: RouteValue])
}

extension RouteValue: ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// Creates text.
  public init(stringLiteral value: String) { self = .text(value) }

  /// Creates a list.
  public init(arrayLiteral elements: RouteValue...) { self = .list(elements) }

  /// Creates named values. For equal names, the last value counts.
  public init(dictionaryLiteral elements: (String, RouteValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
  }
}

extension RouteValue {
  /// The members of an object sorted by name, or the elements of a list named by their indices;
  /// `nil` for text.
  var members: [(name: String, value: RouteValue)]? {
    switch self {
    case .text: nil
    case .list(let elements): elements.enumerated().map { (String($0), $1) }
    case .object(let members):
      members.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }
  }

  /// The elements of a list, or of an object whose names are indices, in the order of the indices.
  /// Text is a list of one element. `nil` for any other object.
  ///
  /// Other parsers read a long list as an object with indices as names.
  var elements: [RouteValue]? {
    switch self {
    case .text: return [self]
    case .list(let elements): return elements
    case .object(let members):
      let indexed = members.compactMap { name, value in
        RouteNames.index(name).map { (index: $0, value: value) }
      }
      guard indexed.count == members.count else { return nil }
      return indexed.sorted { $0.index < $1.index }.map(\.value)
    }
  }

  /// The value without empty lists and empty objects, which a URL cannot represent; `nil` if
  /// nothing is left.
  package var withoutEmptyParts: RouteValue? {
    switch self {
    case .text: return self
    case .list(let elements):
      let kept = elements.compactMap(\.withoutEmptyParts)
      return kept.isEmpty ? nil : .list(kept)
    case .object(let members):
      let kept = members.compactMapValues(\.withoutEmptyParts)
      return kept.isEmpty ? nil : .object(kept)
    }
  }

  /// The value for a message.
  var summary: String {
    switch self {
    case .text(let text): text
    case .list(let elements): "[\(elements.map(\.summary).joined(separator: ", "))]"
    case .object:
      "{\((members ?? []).map { "\($0.name): \($0.value.summary)" }.joined(separator: ", "))}"
    }
  }
}
