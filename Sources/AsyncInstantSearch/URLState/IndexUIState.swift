/// The part of a ``UIState`` that belongs to one index: the typed text, the selections and the
/// opened parts.
///
/// Every property has a default, which means the same as its absence. Values that mean nothing,
/// such as an empty list, are removed when they are assigned.
///
/// Facet values are in the web library's form: a leading minus is written `\-`.
public struct IndexUIState: Hashable, Sendable {
  /// The text of the search box. Defaults to none.
  public var query = ""

  /// The number of the page, from 1. Defaults to 1; a smaller number becomes 1.
  public var page = 1 { didSet { if page < 1 { page = 1 } } }

  /// The number of hits on a page; `nil` for the default. A number below 0 becomes 0.
  public var hitsPerPage: Int? {
    didSet { if let number = hitsPerPage, number < 0 { hitsPerPage = 0 } }
  }

  /// The index or strategy that sorts the hits; `nil` for the initial one.
  public var sortBy: String? { didSet { if sortBy == "" { sortBy = nil } } }

  /// The selected values by attribute.
  public var refinementList: [String: [String]] = [:] {
    didSet { refinementList.removeValues(where: \.isEmpty) }
  }

  /// The selected value of each menu, by attribute.
  public var menu: [String: String] = [:] { didSet { menu.removeValues(where: \.isEmpty) } }

  /// The segments of the selected path of each hierarchy, by its first attribute.
  public var hierarchicalMenu: [String: [String]] = [:] {
    didSet { hierarchicalMenu.removeValues(where: \.isEmpty) }
  }

  /// The selected bounds of numbers, by attribute.
  public var range: [String: NumberBounds] = [:] {
    didSet { range.removeValues(where: \.isEmpty) }
  }

  /// The selected item of each menu of numbers, by attribute.
  public var numericMenu: [String: NumberChoice] = [:] {
    didSet { numericMenu.removeValues(where: \.isEmpty) }
  }

  /// The minimum rating, by attribute. A number that is not finite is removed.
  public var ratingMenu: [String: Double] = [:] {
    didSet { ratingMenu.removeValues { !$0.isFinite } }
  }

  /// The switches that are on, by attribute. `false` is removed.
  public var toggle: [String: Bool] = [:] { didSet { toggle.removeValues { !$0 } } }

  /// The numbers that attributes are compared with, by the comparison, such as `price>=`. A number
  /// that is not finite is removed.
  public var comparison: [String: Double] = [:] {
    didSet { comparison.removeValues { !$0.isFinite } }
  }

  /// The selected filters by group, as their widget names them.
  public var filters: [String: [String]] = [:] { didSet { filters.removeValues(where: \.isEmpty) } }

  /// The part of the map in which records are searched; `nil` for the whole map.
  public var geoSearch: MapCorners?

  /// The minimum relevance for sorted hits, 0 to 100; `nil` for the default of the index.
  ///
  /// A number outside the range is clamped.
  public var relevantSort: Int? {
    didSet {
      if let number = relevantSort, !(0...100).contains(number) {
        relevantSort = min(max(number, 0), 100)
      }
    }
  }

  /// The attributes of which more values are shown. `false` is removed.
  public var showMore: [String: Bool] = [:] { didSet { showMore.removeValues { !$0 } } }

  /// The texts for which values of facets are searched, by attribute.
  public var facetQuery: [String: String] = [:] {
    didSet { facetQuery.removeValues(where: \.isEmpty) }
  }

  /// Search parameters of the application. They are never in a URL.
  public var configure = SearchQuery()

  /// Values of keys without a property here, which are kept and written again.
  ///
  /// The name of a property is removed. A URL holds values of at most four further levels.
  public var additional: [String: RouteValue] = [:] {
    didSet { removeUselessAdditions() }
  }

  /// Creates a state with nothing set.
  public init() {}

  private mutating func removeUselessAdditions() {
    var kept = additional
    for name in Key.allCases { kept[name.rawValue] = nil }
    kept = kept.compactMapValues(\.withoutEmptyParts)
    if kept != additional { additional = kept }
  }
}

extension IndexUIState {
  /// Whether nothing is set.
  public var isEmpty: Bool { self == IndexUIState() }

  /// The names of the properties, in the order in which they are written.
  enum Key: String, CaseIterable {
    case query, page, hitsPerPage, sortBy, refinementList, menu, hierarchicalMenu, range
    case numericMenu, ratingMenu, toggle, comparison, filters, geoSearch, relevantSort
    case showMore, facetQuery, configure
  }

  /// The selected item of a menu of numbers.
  ///
  /// As text it is the number, `5`, or the bounds, `10:20`.
  public enum NumberChoice: Hashable, Sendable {
    /// Exactly one number, which should be finite.
    case exactly(Double)
    /// The numbers within bounds.
    case within(NumberBounds)

    /// Whether the item has no number.
    public var isEmpty: Bool {
      switch self {
      case .exactly(let number): !number.isFinite
      case .within(let bounds): bounds.isEmpty
      }
    }
  }

  /// Two opposite corners of a part of the map, as the user selected them.
  ///
  /// A map over the 180th meridian has its east at a smaller longitude than its west, or beyond 180
  /// degrees, as libraries for maps give it.
  ///
  /// As text they are four numbers: `northLatitude,eastLongitude,southLatitude,westLongitude`.
  public struct MapCorners: Hashable, Sendable {
    /// The corner in the northeast.
    public let northEast: Point
    /// The corner in the southwest.
    public let southWest: Point

    /// Creates corners; `nil` unless both points are valid. A longitude of up to 540 degrees counts
    /// from the other side.
    public init?(northEast: Point, southWest: Point) {
      var northEast = northEast
      if northEast.longitude > 180, northEast.longitude <= 540 { northEast.longitude -= 360 }
      guard northEast.isValid, southWest.isValid else { return nil }
      self.northEast = northEast
      self.southWest = southWest
    }
  }
}

extension IndexUIState.NumberChoice: LosslessStringConvertible {
  /// Reads a decimal number, or bounds.
  public init?(_ description: String) {
    if let number = Double(decimal: description) {
      self = .exactly(number)
    } else if let bounds = NumberBounds(description) {
      self = .within(bounds)
    } else {
      return nil
    }
  }

  /// The number or the bounds, without exponents.
  public var description: String {
    switch self {
    case .exactly(let number): number.plainNumber
    case .within(let bounds): bounds.description
    }
  }
}

extension IndexUIState.MapCorners: LosslessStringConvertible {
  /// Reads four decimal numbers; `nil` unless they are valid points.
  public init?(_ description: String) {
    let parts = description.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.prefix(5).compactMap { Double(decimal: $0) }
    guard parts.count == 4, numbers.count == 4 else { return nil }
    self.init(
      northEast: Point(latitude: numbers[0], longitude: numbers[1]),
      southWest: Point(latitude: numbers[2], longitude: numbers[3]))
  }

  /// The four numbers, without exponents.
  public var description: String {
    [northEast.latitude, northEast.longitude, southWest.latitude, southWest.longitude]
      .map(\.plainNumber).joined(separator: ",")
  }
}

extension IndexUIState.MapCorners {
  /// The area in which records are searched: one box, or two boxes beside the 180th meridian,
  /// because a box has two opposite corners rather than a west and an east.
  var area: InsideBoundingBox {
    let (north, south) = (northEast.latitude, southWest.latitude)
    let (east, west) = (northEast.longitude, southWest.longitude)
    // As text, which has the corners as the user selected them.
    if west <= east { return .text(description) }
    return .boxes([[north, 180, south, west], [north, east, south, -180]])
  }

  /// Reads an area; `nil` if no corners make it.
  init?(_ area: InsideBoundingBox) {
    if case .text(let text) = area {
      guard let corners = Self(text) else { return nil }
      let (east, west) = (corners.northEast.longitude, corners.southWest.longitude)
      // Two opposite corners, whichever way round.
      self.init(
        northEast: Point(latitude: corners.northEast.latitude, longitude: max(east, west)),
        southWest: Point(latitude: corners.southWest.latitude, longitude: min(east, west)))
      return
    }
    guard let boxes = area.rectangles, boxes.count == 2, boxes.allSatisfy({ $0.count == 4 }) else {
      return nil
    }
    self.init(
      northEast: Point(latitude: boxes[1][0], longitude: boxes[1][1]),
      southWest: Point(latitude: boxes[0][2], longitude: boxes[0][3]))
    if self.area != area { return nil }
  }
}

extension Dictionary {
  /// Removes the members whose values match, without a copy if no value matches.
  fileprivate mutating func removeValues(where isRemoved: (Value) -> Bool) {
    if values.contains(where: isRemoved) { self = filter { !isRemoved($0.value) } }
  }
}
