package import InstantSearchJSON

/// Filters in nested lists: the outer list joins with AND, the lists in it join with OR.
///
/// ```swift
/// query.facetFilters = "genre:drama"
/// query.facetFilters = [["genre:drama", "genre:comedy"], "year:1994"] // (drama or comedy) and
/// 1994
/// ```
///
/// What is written is what was given: nothing is flattened, reordered or dropped, an empty list
/// included.
public indirect enum NestedFilters: Sendable, Hashable, Codable, ListRepresentable {
  /// One filter, such as `genre:drama`, `price > 20` or a tag.
  case filter(String)
  /// A list of filters and of further lists.
  case group([NestedFilters])

  /// A list of filters and of further lists.
  public init(_ list: [NestedFilters]) { self = .group(list) }

  /// Reads any of the accepted forms, with any decoder.
  public init(from decoder: any Decoder) throws { try self.init(readingFrom: decoder) }

  /// Writes the value as the contract has it, with any encoder.
  public func encode(to encoder: any Encoder) throws { try write(into: encoder) }
}

extension NestedFilters: ExpressibleByStringInterpolation, ExpressibleByArrayLiteral {
  /// One filter.
  public init(stringLiteral value: String) { self = .filter(value) }

  /// A list of filters and of further lists.
  public init(arrayLiteral elements: NestedFilters...) { self = .group(elements) }
}

extension NestedFilters: SearchParameterType, JSONNodeDecodable, JSONWritable {
  package static var expectation: String { "string or nested array of strings" }

  package init(parameter node: JSONNode) throws(SearchParameterMismatch) {
    var isNested = true
    let filters: NestedFilters? = node.document.folded(
      at: node.index,
      step: { index in
        if let filter = node.document.string(at: index) { return .value(.filter(filter)) }
        if node.document.kind(at: index) == .array { return .branch }
        isNested = false
        return .nothing
      },
      array: NestedFilters.group, object: { _ in .group([]) })
    guard isNested, let filters else { throw Self.mismatch(node) }
    self = filters
  }

  package func writeParameter(to writer: inout JSONWriter) {
    switch self {
    case .filter(let filter):
      writer.string(filter)
    case .group(let group):
      writer.beginArray()
      for filters in group { filters.writeParameter(to: &writer) }
      writer.endArray()
    }
  }

  package var urlText: String {
    switch self {
    case .filter(let filter): urlText(bare: filter)
    case .group: String(decoding: compactJSON, as: UTF8.self)
    }
  }
}

/// What a query for the records related to a hit has beside its own parameters.
package struct RelatedItems: Sendable, Hashable {
  /// How the hit itself is left out.
  package enum Exclusion: Sendable, Hashable {
    /// An element of `facetFilters`.
    case facetFilter(NestedFilters)
    /// A part of `filters`, for an ID that the lists cannot carry.
    case filter(String)
  }

  /// How the hit itself is left out.
  package var exclusion: Exclusion
  /// The values that related records share, in the order of the patterns and of the values.
  package var optionalFilters: [NestedFilters]

  package init(exclusion: Exclusion, optionalFilters: [NestedFilters]) {
    self.exclusion = exclusion
    self.optionalFilters = optionalFilters
  }
}

/// What was added to a query for related items, remembered so that it can be removed again.
///
/// It is no part of the query's parameters, so comparisons of queries ignore it.
package enum AppliedRelatedItems: Sendable, Hashable {
  /// Nothing was added.
  case none
  /// These were added; `sumOrFiltersScores` is the query's value before.
  indirect case added(RelatedItems, sumOrFiltersScores: Bool?)

  package static func == (left: Self, right: Self) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}
