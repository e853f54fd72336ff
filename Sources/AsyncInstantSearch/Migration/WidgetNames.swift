// The names of InstantSearch iOS. Each component has an interactor, a connector and a controller.

/// A connected ``SearchBox``.
public typealias SearchBoxInteractor = WidgetInteractor<SearchBox>
/// Connects a ``SearchBox``.
public typealias SearchBoxConnector = WidgetConnector<SearchBox>
/// A view of a ``SearchBox``.
@MainActor
public protocol SearchBoxController: WidgetController where Widget == SearchBox {}

/// Connected ``SearchStats``.
public typealias StatsInteractor = WidgetInteractor<SearchStats>
/// Connects ``SearchStats``.
public typealias StatsConnector = WidgetConnector<SearchStats>
/// A view of ``SearchStats``.
@MainActor
public protocol StatsController: WidgetController where Widget == SearchStats {}

/// A connected ``Loading``.
public typealias LoadingInteractor = WidgetInteractor<Loading>
/// Connects a ``Loading``.
public typealias LoadingConnector = WidgetConnector<Loading>
/// A view of a ``Loading``.
@MainActor
public protocol LoadingController: WidgetController where Widget == Loading {}

/// A connected ``FacetList``.
public typealias FacetListInteractor = WidgetInteractor<FacetList>
/// Connects a ``FacetList``.
public typealias FacetListConnector = WidgetConnector<FacetList>
/// A view of a ``FacetList``.
@MainActor
public protocol FacetListController: WidgetController where Widget == FacetList {}

/// A connected list of filters.
public typealias FilterListInteractor = WidgetInteractor<SelectableFilters>
/// Connects a list of filters.
public typealias FilterListConnector = WidgetConnector<SelectableFilters>
/// A view of a list of filters.
@MainActor
public protocol FilterListController: WidgetController where Widget == SelectableFilters {}

/// A connected ``FilterMap``.
public typealias FilterMapInteractor<Key: Hashable & Comparable & Sendable> =
  WidgetInteractor<FilterMap<Key>>
/// Connects a ``FilterMap``.
public typealias FilterMapConnector<Key: Hashable & Comparable & Sendable> =
  WidgetConnector<FilterMap<Key>>
/// A view of a ``FilterMap``.
@MainActor
public protocol FilterMapController<Key>: WidgetController where Widget == FilterMap<Key> {
  /// The type of the keys, which a view declares: `typealias Key = Int`.
  associatedtype Key: Hashable & Comparable & Sendable
}

/// A connected ``HierarchicalMenu``.
public typealias HierarchicalInteractor = WidgetInteractor<HierarchicalMenu>
/// Connects a ``HierarchicalMenu``.
public typealias HierarchicalConnector = WidgetConnector<HierarchicalMenu>
/// A view of a ``HierarchicalMenu``.
@MainActor
public protocol HierarchicalController: WidgetController where Widget == HierarchicalMenu {}

/// A connected ``NumberRange``.
public typealias NumberRangeInteractor = WidgetInteractor<NumberRange>
/// Connects a ``NumberRange``.
public typealias NumberRangeConnector = WidgetConnector<NumberRange>
/// A view of a ``NumberRange``.
@MainActor
public protocol NumberRangeController: WidgetController where Widget == NumberRange {}

/// A connected ``NumberComparison``.
public typealias NumberInteractor = WidgetInteractor<NumberComparison>
/// Connects a ``NumberComparison``.
public typealias NumberConnector = WidgetConnector<NumberComparison>
/// Connects a ``NumberComparison``.
public typealias FilterComparisonConnector = NumberConnector
/// A view of a ``NumberComparison``.
@MainActor
public protocol NumberController: WidgetController where Widget == NumberComparison {}

/// A connected ``FilterToggle``.
public typealias FilterToggleInteractor = WidgetInteractor<FilterToggle>
/// Connects a ``FilterToggle``.
public typealias FilterToggleConnector = WidgetConnector<FilterToggle>
/// A view of a ``FilterToggle``.
@MainActor
public protocol FilterToggleController: WidgetController where Widget == FilterToggle {}

/// Connected ``CurrentFilters``.
public typealias CurrentFiltersInteractor = WidgetInteractor<CurrentFilters>
/// Connects ``CurrentFilters``.
public typealias CurrentFiltersConnector = WidgetConnector<CurrentFilters>
/// A view of ``CurrentFilters``.
@MainActor
public protocol CurrentFiltersController: WidgetController where Widget == CurrentFilters {}

/// A connected ``FilterClear``.
public typealias FilterClearInteractor = WidgetInteractor<FilterClear>
/// Connects a ``FilterClear``.
public typealias FilterClearConnector = WidgetConnector<FilterClear>
/// A view of a ``FilterClear``.
@MainActor
public protocol FilterClearController: WidgetController where Widget == FilterClear {}

/// A connected ``SortBy``.
public typealias SortByInteractor = WidgetInteractor<SortBy>
/// Connects a ``SortBy``.
public typealias SortByConnector = WidgetConnector<SortBy>
/// A view of a ``SortBy``.
@MainActor
public protocol SortByController: WidgetController where Widget == SortBy {}

/// A connected ``RelevantSort``.
public typealias RelevantSortInteractor = WidgetInteractor<RelevantSort>
/// Connects a ``RelevantSort``.
public typealias RelevantSortConnector = WidgetConnector<RelevantSort>
/// A view of a ``RelevantSort``.
@MainActor
public protocol RelevantSortController: WidgetController where Widget == RelevantSort {}

/// Connected ``DynamicFacets``.
public typealias DynamicFacetListInteractor = WidgetInteractor<DynamicFacets>
/// Connects ``DynamicFacets``.
public typealias DynamicFacetListConnector = WidgetConnector<DynamicFacets>
/// A view of ``DynamicFacets``.
@MainActor
public protocol DynamicFacetListController: WidgetController where Widget == DynamicFacets {}

/// Connected ``RuleData``.
public typealias QueryRuleCustomDataInteractor<Value: Decodable & Sendable & Equatable> =
  WidgetInteractor<RuleData<Value>>
/// Connects ``RuleData``.
public typealias QueryRuleCustomDataConnector<Value: Decodable & Sendable & Equatable> =
  WidgetConnector<RuleData<Value>>
/// A view of ``RuleData``.
@MainActor
public protocol QueryRuleCustomDataController<Value>: WidgetController
where Widget == RuleData<Value> {
  /// The type of the data, which a view declares: `typealias Value = Promotion`.
  associatedtype Value: Decodable & Sendable & Equatable
}
