import SearchJSON

extension RenderingContent {
  /// How facets and their values are ordered.
  public struct FacetOrdering: Sendable, Hashable, Codable {
    /// Which facets are shown, in order; `nil` leaves it to the user interface.
    public var facets: Facets?
    /// How the values of each facet are ordered, by attribute.
    public var values: [String: Values]?

    /// Creates an ordering.
    public init(facets: Facets? = nil, values: [String: Values]? = nil) {
      self.facets = facets
      self.values = values
    }

    /// Which facets are shown.
    public struct Facets: Sendable, Hashable, Codable {
      /// The attributes in the order in which they are shown.
      public var order: [String]?

      /// Creates an order of attributes.
      public init(order: [String]? = nil) { self.order = order }
    }

    /// How the values of one facet are ordered.
    public struct Values: Sendable, Hashable, Codable {
      /// The values that come first, in this order.
      public var order: [String]?
      /// How the other values follow.
      public var sortRemainingBy: SortRemainingBy?
      /// The values that are not shown.
      public var hide: [String]?

      /// Creates an order of values.
      public init(
        order: [String]? = nil, sortRemainingBy: SortRemainingBy? = nil, hide: [String]? = nil
      ) {
        self.order = order
        self.sortRemainingBy = sortRemainingBy
        self.hide = hide
      }
    }

    /// How the values follow that have no explicit place.
    public struct SortRemainingBy: RawRepresentable, Hashable, Sendable, Codable,
      ExpressibleByStringLiteral
    {
      /// The value's name on the wire.
      public var rawValue: String

      /// A value with that name.
      public init(rawValue: String) { self.rawValue = rawValue }

      /// A value with that name.
      public init(stringLiteral value: String) { rawValue = value }

      /// The most frequent first.
      public static let count = SortRemainingBy(rawValue: "count")
      /// By name.
      public static let alphabetical = SortRemainingBy(rawValue: "alpha")
      /// Not at all: they are not shown.
      public static let hidden = SortRemainingBy(rawValue: "hidden")
    }
  }
}

extension RenderingContent.FacetOrdering.SortRemainingBy: OpenStringValue {}

extension RenderingContent.FacetOrdering {
  init(object: ObjectReader) throws(SearchParameterMismatch) {
    facets = try object.read("facets") { (object) throws(SearchParameterMismatch) in
      Facets(order: try object.value("order"))
    }
    values = try object.read("values") { (object) throws(SearchParameterMismatch) in
      var values: [String: Values] = [:]
      for member in object.node.members {
        values[member.key] = try object.read(member.key, Values.init(object:))
      }
      return values
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    if let facets {
      writer.key("facets")
      writer.beginObject()
      writer.member("order", facets.order)
      writer.endObject()
    }
    if let values {
      writer.key("values")
      writer.beginObject()
      for (attribute, order) in values.sorted(by: { $0.key < $1.key }) {
        writer.key(attribute)
        writer.beginObject()
        writer.member("order", order.order)
        writer.member("sortRemainingBy", order.sortRemainingBy)
        writer.member("hide", order.hide)
        writer.endObject()
      }
      writer.endObject()
    }
    writer.endObject()
  }
}

extension RenderingContent.FacetOrdering.Values {
  init(object: ObjectReader) throws(SearchParameterMismatch) {
    order = try object.value("order")
    sortRemainingBy = try object.value("sortRemainingBy")
    hide = try object.value("hide")
  }
}
