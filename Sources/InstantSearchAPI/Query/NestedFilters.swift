package import InstantSearchJSON

/// Nested lists of filters: the outer list is a conjunction (AND), the inner lists disjunctions
/// (OR).
///
/// ```swift
/// query.facetFilters = "genre:drama"
/// query.facetFilters = [["genre:drama", "genre:comedy"], "year:1994"] // (drama or comedy) and
/// 1994
/// ```
///
/// The lists are written unchanged: nothing is flattened, reordered or dropped, including empty
/// lists.
public indirect enum NestedFilters: Sendable, Hashable, Codable, ListRepresentable {
  /// One filter, such as `genre:drama`, `price > 20` or a tag.
  case filter(String)
  /// A list of filters and nested lists.
  case group([NestedFilters])

  /// Creates a list of filters and nested lists.
  public init(_ list: [NestedFilters]) { self = .group(list) }

  /// Reads any accepted form, with any decoder.
  public init(from decoder: any Decoder) throws { try self.init(readingFrom: decoder) }

  /// Writes the value in the form of the contract, with any encoder.
  public func encode(to encoder: any Encoder) throws { try write(into: encoder) }
}

extension NestedFilters: ExpressibleByStringInterpolation, ExpressibleByArrayLiteral {
  /// Creates one filter.
  public init(stringLiteral value: String) { self = .filter(value) }

  /// Creates a list of filters and nested lists.
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

/// The additions that make a query search for the records related to a hit.
package struct RelatedItems: Sendable, Hashable {
  /// The filter that excludes the hit itself.
  package enum Exclusion: Sendable, Hashable {
    /// With an element of `facetFilters`.
    case facetFilter(NestedFilters)
    /// With a part of `filters`, for an ID that the lists cannot express.
    case filter(String)
  }

  /// The filter that excludes the hit itself.
  package var exclusion: Exclusion
  /// The values that related records share, in the order of the patterns and the values.
  package var optionalFilters: [NestedFilters]

  package init(exclusion: Exclusion, optionalFilters: [NestedFilters]) {
    self.exclusion = exclusion
    self.optionalFilters = optionalFilters
  }
}

/// The additions for related items that were applied to a query, stored so that they can be
/// removed.
///
/// They are not parameters of the query, so comparisons of queries ignore them.
package enum AppliedRelatedItems: Sendable, Hashable {
  /// Nothing was applied.
  case none
  /// These additions were applied; `sumOrFiltersScores` is the query's previous value.
  indirect case added(RelatedItems, sumOrFiltersScores: Bool?)

  package static func == (left: Self, right: Self) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}
