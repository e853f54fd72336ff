package import InstantSearchJSON

/// A value, or an explicit `null`, which differs from an absent value.
///
/// A property of type `Nullable<Value>?` has three states: `nil` is not sent, `.null` is sent as
/// `null`, and `.value` is sent as the value. Literals of the value's type are values.
///
/// ```swift
/// query.optionalWords = .null           // "optionalWords": null
/// query.optionalWords = ["red"]         // "optionalWords": ["red"]
/// query.optionalWords = nil             // nothing
/// ```
public enum Nullable<Value: Sendable & Hashable & Codable>: Sendable, Hashable, Codable {
  /// An explicit `null`.
  case null
  /// A value.
  case value(Value)

  /// The value; `nil` for an explicit `null`.
  public var optional: Value? {
    if case .value(let value) = self { value } else { nil }
  }

  /// Reads `null` or a value, with any decoder.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self = container.decodeNil() ? .null : .value(try container.decode(Value.self))
  }

  /// Writes `null` or the value, with any encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .value(let value): try container.encode(value)
    }
  }
}

/// A type that can be created from a list, so that its ``Nullable`` can be an array literal.
public protocol ListRepresentable {
  /// The type of the list's elements.
  associatedtype ListElement
  /// Creates a value from a list.
  init(_ list: [ListElement])
}

extension Nullable: ExpressibleByArrayLiteral where Value: ListRepresentable {
  /// Creates a value from a list.
  public init(arrayLiteral elements: Value.ListElement...) { self = .value(Value(elements)) }
}

extension Nullable: ExpressibleByUnicodeScalarLiteral
where Value: ExpressibleByStringLiteral, Value.StringLiteralType == String {}

extension Nullable: ExpressibleByExtendedGraphemeClusterLiteral
where Value: ExpressibleByStringLiteral, Value.StringLiteralType == String {}

extension Nullable: ExpressibleByStringLiteral
where Value: ExpressibleByStringLiteral, Value.StringLiteralType == String {
  /// Creates a value from text.
  public init(stringLiteral value: String) { self = .value(Value(stringLiteral: value)) }
}

extension Nullable: ExpressibleByStringInterpolation
where Value: ExpressibleByStringInterpolation, Value.StringLiteralType == String {}

extension Nullable: TapeDecodable where Value: SearchParameterValue {}

extension Nullable: SearchParameterType, SearchParameterValue, JSONNodeDecodable, JSONWritable
where Value: SearchParameterValue {
  package static var expectation: String { "\(Value.expectation) or null" }

  package init(parameter node: JSONNode) throws(SearchParameterMismatch) {
    if node.isNull {
      self = .null
      return
    }
    do throws(SearchParameterMismatch) {
      self = .value(try Value(parameter: node))
    } catch {
      throw error.path.isEmpty ? Self.mismatch(node) : error
    }
  }

  package func writeParameter(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .value(let value): value.writeParameter(to: &writer)
    }
  }

  package init(urlText: String) throws(SearchParameterMismatch) {
    self = urlText == "null" ? .null : .value(try Value(urlText: urlText))
  }

  /// The value's URL text. A value whose text is `null` is written as a JSON string.
  package var urlText: String {
    guard case .value(let value) = self else { return "null" }
    let text = value.urlText
    return text == "null" ? "\"null\"" : text
  }
}
