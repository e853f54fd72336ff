/// The differences from InstantSearch.js that the tests allow, each with its reason.
///
/// A recording names some of them as tags, such as `needless-own-query`.
enum Exemption: String, CaseIterable {
  // Queries
  case needlessOwnQuery = "a facet without filters needs no query of its own"
  case repeatedRequest = "the answer to an equal query is known"
  case equalSearch = "an action that changes no query makes no search"
  case removedRatingFacet = "no widget shows the facet of a removed rating menu"
  case listOrder = "the order of numeric filters and of contexts has no meaning"
  case facetAsList = "the service takes a single facet as a list"
  case tagsAsList = "the service takes tags as a list"
  case highlightTags = "a search for values has the tags of the service"
  case defaultFacetHits = "a request does not depend on a default of the service"
  case earlierFacetSearch = "only the values of the newest text are shown"
  case countedValues = "widgets ask for all values that they count"
  case composition = "compositions are not part of this package"
  // States
  case stateAfterFailure = "what a user has chosen stays after a failure"
  case openedParts = "a new state says what is opened"
  case openedPartsInURL = "a URL says what is opened"
  case keptStrictness = "a new state without a strictness has that of the index"
  case configuredFilters = "Configure has parameters; an application sets filters"
  case configureInState = "no user has chosen the parameters of Configure"
  case rejectedAction = "an action that is not possible throws"
  case textBound = "the bounds of an action are numbers, which an application parses"
  case malformedState = "a malformed part of a state is reported"
  case emptyParts = "empty parts of a state have no meaning"
  case fallbackWidgets = "an application makes the widgets of other listed facets"
  // Views
  case status = "a screen sends nothing; the status is that of a searcher"
  case tiedRanks = "the keys of an answer have no order"
  case uncertainFacet = "an OR list says how its values are joined, also for dynamic facets"
  case facetSearchEnd = "a search for values ends with another search"
  case hiddenInFacetSearch = "the service hides the values"
  case exhaustiveFacetSearch = "the flag belongs to the values that were found"
  case minusValue = "a chosen value without hits is shown, also with a leading minus"
  case chosenValue = "a chosen value without hits is shown, also without an answer"
  case unmarkedValue = "only a search for values marks words"
  case unknownTime = "before results, the time is not known"
  case configuredHitsPerPage = "before results, the parameters of Configure are not known"
  case clearBeforeResults = "a state has refinements before there are results"
  case breadcrumbVanishes = "a path is chosen, also if no answer has it"
  case breadcrumbValue = "a step of a breadcrumb is the path that it leads to"
  case breadcrumbRoot = "the part of a path above the root cannot be changed"
  case toggleSides = "only one side of a toggle is on"
  case toggleBeforeResults = "before results, counts are not known"
  case invertedItem = "no number is in an inverted item"
  case groupOrder = "the order of the current filters of one kind has no meaning"
  case unknownCount = "the results have the count"
  case unescapedPath = "a backslash keeps a minus sign from excluding"
  // Links
  case linkPage1 = "the first page is the default"
  case linkKeepsPage = "a link leads where the action leads: to the first page"
  case linkKeepsHitsPerPage = "a link leads where the action leads: to the default number"
  case linkDropsRootPath = "a link leads where the action leads: below the root path"
  // URLs
  case inheritedNames = "a parameter can have any name"
  case keyOrder = "the order of the parameters of a URL has no meaning"
  // Quirks, up to which sessions are compared
  case numericMenuPageKept = "each item of a numeric menu leads to the first page"
  case numericMenuZeroBound = "a bound of 0 is kept"
  case numericMenuSharedBound = "only the item with both bounds is chosen"
  case numericMenuInvertedThrows = "an inverted item is refused when the menu is made"
  case relevantSortZero = "a strictness of 0 is kept"
  case relevantSortText = "a strictness from a URL is sent as a number"
  case geoZero = "a corner can have the coordinate 0"
  case rangeOptionBounds = "limits of a range are no refinements"
  case rangeInverted = "an inverted range is refused"
  case ratingTwoRefinements = "a rating is one refinement"
  case clearLeavesExclusions = "exclusions and tags are cleared as well"
  case infiniteCacheOneState = "the pages of several searches are kept"
  case infiniteUiPage = "the page in the state is the last one shown"
  case facetSearchRace = "a late answer to an older search for values is ignored"
  case showMoreInFacetSearch = "showing more goes on with a search for values"
  case menuSeparator = "the value of a menu has one segment"
  case menuEmptyWhenUnrefined = "clearing an empty menu changes nothing"
  case breadcrumbOverridesHierarchy = "a breadcrumb does not change the menu's hierarchy"
  case breadcrumbHiddenValue = "a breadcrumb also shows hidden values"
  case toggleHiddenValue = "a toggle counts hidden values"
  case facetOrderWithRootPath = "below a root path, each level has its own order"
  case configureFacetDeclarations = "new parameters leave the facets of other widgets"
  case toggleOffCleared = "the values of the off state cannot be cleared"
  case rootPathNotApplied = "a menu that is shown later begins at its root path"
  case escapedRefinedValueDropped = "a chosen value with a leading minus has count 0"
  case excludedValueCountForcedTo0 = "an excluded value has the count of the answer"

  /// The exemption that a tag of a recording names; `nil` if there is none.
  init?(tag: String) {
    let name = tag.replacing("-", with: "").lowercased()
    guard let named = Self.allCases.first(where: { "\($0)".lowercased() == name }) else {
      return nil
    }
    self = named
  }

  /// Whether a session goes on after the tag of this exemption.
  var isBenign: Bool {
    switch self {
    case .needlessOwnQuery, .repeatedRequest, .breadcrumbVanishes: true
    default: false
    }
  }
}
