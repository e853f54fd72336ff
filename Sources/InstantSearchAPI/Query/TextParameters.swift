package import InstantSearchJSON

/// The number of records of a group that are returned.
///
/// ```swift
/// query.distinct = true
/// query.distinct = 3
/// ```
public enum Distinct: Sendable, Hashable, Codable {
  /// One record per group, or no grouping.
  case enabled(Bool)
  /// Up to this many records per group. 0 disables grouping.
  case count(Int)

  /// The number of records per group; 0 if records are not grouped.
  public var hitsPerGroup: Int {
    switch self {
    case .enabled(let value): value ? 1 : 0
    case .count(let count): Swift.max(count, 0)
    }
  }

  /// Reads any accepted form, with any decoder.
  public init(from decoder: any Decoder) throws { try self.init(readingFrom: decoder) }

  /// Writes the value in the form of the contract, with any encoder.
  public func encode(to encoder: any Encoder) throws { try write(into: encoder) }
}

extension Distinct: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral {
  /// One record per group, or no grouping.
  public init(booleanLiteral value: Bool) { self = .enabled(value) }

  /// Up to this many records per group.
  public init(integerLiteral value: Int) { self = .count(value) }
}

extension Distinct: SearchParameterType, JSONNodeDecodable, JSONWritable {
  package static var expectation: String { "boolean or integer" }

  package init(parameter node: JSONNode) throws(SearchParameterMismatch) {
    if let value = Bool(lenient: node) {
      self = .enabled(value)
    } else if let count = node.int {
      self = .count(count)
    } else {
      throw Self.mismatch(node)
    }
  }

  package func writeParameter(to writer: inout JSONWriter) {
    switch self {
    case .enabled(let value): writer.bool(value)
    case .count(let count): writer.int(count)
    }
  }
}

/// The tolerance of typos.
///
/// ```swift
/// query.typoTolerance = .strict
/// query.typoTolerance = false
/// ```
public enum TypoTolerance: Sendable, Hashable, Codable {
  /// Whether typos are allowed, within the minimum word lengths.
  case enabled(Bool)
  /// Only the records with the fewest typos match.
  case min
  /// Only the records with the fewest and second-fewest typos match, and the Typo criterion comes
  /// first.
  case strict

  /// Reads any accepted form, with any decoder.
  public init(from decoder: any Decoder) throws { try self.init(readingFrom: decoder) }

  /// Writes the value in the form of the contract, with any encoder.
  public func encode(to encoder: any Encoder) throws { try write(into: encoder) }
}

extension TypoTolerance: ExpressibleByBooleanLiteral {
  /// `true` allows typos, `false` does not.
  public init(booleanLiteral value: Bool) { self = .enabled(value) }
}

extension TypoTolerance: SearchParameterType, JSONNodeDecodable, JSONWritable {
  package static var expectation: String { "boolean, \"min\" or \"strict\"" }

  package init(parameter node: JSONNode) throws(SearchParameterMismatch) {
    if let value = Bool(lenient: node) {
      self = .enabled(value)
    } else {
      switch node.string {
      case "min": self = .min
      case "strict": self = .strict
      default: throw Self.mismatch(node)
      }
    }
  }

  package init(urlText: String) throws(SearchParameterMismatch) {
    if let value = Bool(lenient: urlText) {
      self = .enabled(value)
    } else {
      try self.init(parameter: JSONNode(text: urlText))
    }
  }

  package func writeParameter(to writer: inout JSONWriter) {
    switch self {
    case .enabled(let value): writer.bool(value)
    case .min: writer.string("min")
    case .strict: writer.string("strict")
    }
  }

  package var urlText: String {
    switch self {
    case .enabled(let value): value.urlText
    case .min: "min"
    case .strict: "strict"
    }
  }
}

/// Words of a query that a record does not have to contain.
///
/// One text and a list of texts are different values, because they differ on the wire.
///
/// ```swift
/// query.optionalWords = "toyota red"
/// query.optionalWords = ["toyota", "red"]
/// ```
public enum OptionalWords: Sendable, Hashable, Codable, ListRepresentable {
  /// One text; each of its words is optional.
  case text(String)
  /// Several texts; each word of each of them is optional.
  case list([String])

  /// Creates a list of texts.
  public init(_ list: [String]) { self = .list(list) }

  /// The texts of either case.
  public var texts: [String] {
    switch self {
    case .text(let text): [text]
    case .list(let list): list
    }
  }

  /// Reads any accepted form, with any decoder.
  public init(from decoder: any Decoder) throws { try self.init(readingFrom: decoder) }

  /// Writes the value in the form of the contract, with any encoder.
  public func encode(to encoder: any Encoder) throws { try write(into: encoder) }
}

extension OptionalWords: ExpressibleByStringInterpolation, ExpressibleByArrayLiteral {
  /// Creates one text.
  public init(stringLiteral value: String) { self = .text(value) }

  /// Creates a list of texts.
  public init(arrayLiteral elements: String...) { self = .list(elements) }
}

extension OptionalWords: SearchParameterType, JSONNodeDecodable, JSONWritable {
  package static var expectation: String { "string or array of strings" }

  package init(parameter node: JSONNode) throws(SearchParameterMismatch) {
    if let text = node.string {
      self = .text(text)
    } else if let list = String.list(node) {
      self = .list(list)
    } else {
      throw Self.mismatch(node)
    }
  }

  package func writeParameter(to writer: inout JSONWriter) {
    switch self {
    case .text(let text): writer.string(text)
    case .list(let list): list.writeParameter(to: &writer)
    }
  }

  package var urlText: String {
    switch self {
    case .text(let text): urlText(bare: text)
    case .list(let list): list.urlText
    }
  }
}

/// Settings of the semantic search, used with the mode `neuralSearch` only.
public struct SemanticSearch: Sendable, Hashable, Codable {
  /// The indices whose events train the search. `.null` uses the current index and its replicas,
  /// `nil` leaves the setting unchanged.
  public var eventSources: Nullable<[String]>?

  /// Creates the settings.
  public init(eventSources: Nullable<[String]>? = nil) { self.eventSources = eventSources }

  /// Creates the settings with the indices whose events train the search.
  public init(eventSources: [String]) { self.eventSources = .value(eventSources) }

  /// Reads any accepted form, with any decoder.
  public init(from decoder: any Decoder) throws { try self.init(readingFrom: decoder) }

  /// Writes the value in the form of the contract, with any encoder.
  public func encode(to encoder: any Encoder) throws { try write(into: encoder) }
}

extension SemanticSearch: SearchParameterType, JSONNodeDecodable, JSONWritable {
  package static var expectation: String { "object" }

  package init(parameter node: JSONNode) throws(SearchParameterMismatch) {
    guard node.kind == .object else { throw Self.mismatch(node) }
    self.init()
    guard let sources = node["eventSources"] else { return }
    do throws(SearchParameterMismatch) {
      eventSources = try Nullable(parameter: sources)
    } catch {
      throw error.inside("eventSources")
    }
  }

  package func writeParameter(to writer: inout JSONWriter) {
    writer.beginObject()
    if let eventSources {
      writer.key("eventSources")
      eventSources.writeParameter(to: &writer)
    }
    writer.endObject()
  }
}
