/// The hits with a location, and the part of the map in which records are searched.
///
/// Use it for a map that a user moves to search there. To show the hits of a list as pins without
/// searching by the map, ``HitsInteractor/locatedHits`` are enough.
public struct GeoSearch<Record: Decodable & Sendable & Geolocated>: RoutedWidget, RememberingWidget,
  RecordWidget
{
  /// What a map displays.
  public struct View: Sendable, Equatable {
    fileprivate var results: IndexResults?
    /// The center of a search around a point; `nil` without one.
    public var position: Point?
    /// The part of the map in which records are searched; `nil` for the whole map.
    public var corners: IndexUIState.MapCorners?
    /// Whether the application searches again when the user moves the map.
    public var isRefineOnMapMove = true
    /// Whether the user has moved the map since it was refined.
    public var hasMapMoveSinceLastRefine = false

    /// Whether only a part of the map is searched.
    public var isRefinedWithMap: Bool { corners != nil }

    /// The hits with a location, which are decoded when they are used for the first time.
    public var items: [Record] {
      (results?.page(of: Record.self).hits ?? []).filter { $0.geolocation?.first != nil }
    }

    /// Whether two views have the same content and the hits of the same response.
    public static func == (left: View, right: View) -> Bool {
      left.position == right.position && left.corners == right.corners
        && left.isRefineOnMapMove == right.isRefineOnMapMove
        && left.hasMapMoveSinceLastRefine == right.hasMapMoveSinceLastRefine
        && left.results.isSameAnswer(as: right.results)
    }
  }

  /// The memory of a map.
  public struct Memory: Sendable, Hashable {
    /// Whether the user has moved the map since it was refined.
    public var hasMapMoveSinceLastRefine = false
    fileprivate var position: Point?
    fileprivate var isRefinedWithMap = false
  }

  /// The initial memory of the widget.
  public var initialMemory: Memory { Memory() }

  /// Whether the application initially searches again when the user moves the map.
  public let refinesOnMapMove: Bool

  /// Creates a map.
  ///
  /// - Parameters:
  ///   - type: The type of the hits.
  ///   - refinesOnMapMove: Whether the application initially searches again when the user moves the
  ///     map. Defaults to `true`.
  public init(of type: Record.Type = Record.self, refinesOnMapMove: Bool = true) {
    self.refinesOnMapMove = refinesOnMapMove
  }

  /// Searches only records in a part of the map.
  public func refine(_ corners: IndexUIState.MapCorners) -> Action {
    action { context in
      context.memory.hasMapMoveSinceLastRefine = false
      context.state.refine { Self.set(corners, in: &$0) }
    }
  }

  /// Searches the whole map again.
  public func clearMapRefinement() -> Action {
    action { context in
      context.memory.hasMapMoveSinceLastRefine = false
      context.state.refine { Self.set(nil, in: &$0) }
    }
  }

  /// Switches whether the application searches again when the user moves the map.
  public func toggleRefineOnMapMove() -> Action {
    action { setRefineOnMapMove(!refinesOnMapMove(in: $0.state), in: &$0.state) }
  }

  /// Remembers that the user has moved the map.
  public func setMapMoveSinceLastRefine() -> Action {
    action { $0.memory.hasMapMoveSinceLastRefine = true }
  }

  /// Remembers the position. A different position, or a removed area, starts a new map.
  public func receive(_ results: IndexResults, memory: inout Memory) {
    let position = results.query.aroundLatLng
    let isRefinedWithMap = Self.corners(in: results.state) != nil
    let isElsewhere = memory.position != nil && position != nil && memory.position != position
    if isElsewhere || (memory.isRefinedWithMap && !isRefinedWithMap) {
      memory.hasMapMoveSinceLastRefine = false
    }
    memory.position = position
    memory.isRefinedWithMap = isRefinedWithMap
  }

  /// The hits of the newest results with a location, and the area that was searched.
  public func view(_ context: Context) -> View {
    View(
      results: context.results,
      position: context.results?.query.aroundLatLng ?? context.state.query.aroundLatLng,
      corners: Self.corners(in: context.state),
      isRefineOnMapMove: refinesOnMapMove(in: context.state),
      hasMapMoveSinceLastRefine: context.memory.hasMapMoveSinceLastRefine)
  }

  /// The parts of the state of the user interface.
  public var parts: [WidgetPart] {
    let corners = WidgetPart(.geoSearch) { state, _, uiState in
      uiState.geoSearch = Self.corners(in: state)
    } read: { uiState, _, state in
      Self.set(uiState.geoSearch, in: &state)
    }
    let move = WidgetPart(Self.moveName) { state in
      state.opened.additional[Self.moveName]
    } read: { value, state in
      let isOn = value == "true" || (value != "false" && refinesOnMapMove)
      setRefineOnMapMove(isOn, in: &state)
    }
    return [corners, move]
  }

  /// The name of the switch in the state of the user interface.
  private static var moveName: String { "refineOnMapMove" }

  private func refinesOnMapMove(in state: IndexState) -> Bool {
    state.opened.additional[Self.moveName].map { $0 == .text("true") } ?? refinesOnMapMove
  }

  private func setRefineOnMapMove(_ isOn: Bool, in state: inout IndexState) {
    state.opened.additional[Self.moveName] = isOn == refinesOnMapMove ? nil : .text("\(isOn)")
  }

  private static func corners(in state: IndexState) -> IndexUIState.MapCorners? {
    guard case .value(let area)? = state.query.insideBoundingBox else { return nil }
    return IndexUIState.MapCorners(area)
  }

  private static func set(_ corners: IndexUIState.MapCorners?, in state: inout IndexState) {
    state.query.insideBoundingBox = corners.map { .value($0.area) }
  }
}

extension IndexResults? {
  /// Whether both are the results of the same response, or absent.
  func isSameAnswer(as other: IndexResults?) -> Bool {
    switch (self, other) {
    case (nil, nil): true
    case (let left?, let right?): left.isSameAnswer(as: right)
    default: false
    }
  }
}
