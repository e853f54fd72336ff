/// A value of a place, in one language or in several.
///
/// A search that names a language is answered with values in that language alone, any other search
/// with values in all of them. A language whose value is `null` has none.
public enum Localized<Value: Hashable & Sendable>: Hashable, Sendable {
  /// In one language: the one that was asked for, or else the place's own.
  case single(Value)
  /// In several languages; the default is in the place's own language, on the wire `default`.
  case translated(default: Value?, [Language: Value])

  /// The only value there is, or the one in the place's own language.
  public var value: Value? {
    switch self {
    case .single(let value): value
    case .translated(let value, _): value
    }
  }

  /// The value in a language; where there is none, ``value``.
  public func value(in language: Language) -> Value? {
    switch self {
    case .single(let value): value
    case .translated(let value, let translations): translations[language] ?? value
    }
  }

  /// The languages with a value of their own, by code; none for a single value.
  public var languages: [Language] {
    switch self {
    case .single: []
    case .translated(_, let translations):
      translations.keys.sorted { $0.rawValue < $1.rawValue }
    }
  }
}

extension Localized {
  private static var defaultKey: String { "default" }

  private init(members: [String: Value?]) {
    var members = members.compactMapValues { $0 }
    let value = members.removeValue(forKey: Self.defaultKey)
    let translations = members.map { (Language(rawValue: $0.key), $0.value) }
    self = .translated(default: value, Dictionary(uniqueKeysWithValues: translations))
  }

  /// The values as they are written; `nil` for a single one.
  private var members: [String: Value]? {
    guard case .translated(let value, let translations) = self else { return nil }
    var members = Dictionary(
      uniqueKeysWithValues: translations.map { ($0.key.rawValue, $0.value) })
    members[Self.defaultKey] = value ?? members[Self.defaultKey]
    return members
  }

  /// Reads either form; `nil` for what is neither.
  init?(_ json: JSON, _ read: (JSON) -> Value?) {
    if let value = read(json) {
      self = .single(value)
    } else if let members = json.memberValues({ $0.isNull ? .some(nil) : read($0).map { $0 } }) {
      self.init(members: members)
    } else {
      return nil
    }
  }

  /// The value as it is written.
  func json(_ write: (Value) -> JSON) -> JSON {
    switch self {
    case .single(let value): write(value)
    case .translated: .object((members ?? [:]).mapValues(write))
    }
  }
}

extension Localized: Decodable where Value: Decodable {
  /// Reads an object as values by language, and anything else as a single value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let members = try? container.decode([String: Value?].self) {
      self.init(members: members)
    } else {
      self = .single(try container.decode(Value.self))
    }
  }
}

extension Localized: Encodable where Value: Encodable {
  /// Writes the value itself, or an object of the values by language.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .single(let value): try container.encode(value)
    case .translated: try container.encode(members ?? [:])
    }
  }
}
