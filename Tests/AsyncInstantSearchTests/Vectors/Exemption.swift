/// The differences from InstantSearch.js that the tests allow, each with its reason.
///
/// A recording names some of them as tags, such as `needless-own-query`.
enum Exemption: String, CaseIterable {
  // Queries
  case needlessOwnQuery = "no query is sent for a facet without filters"
  case repeatedRequest = "after dynamic facets an equal query is not sent again"
  case equalSearch = "an action that changes nothing makes no search"
  case removedRatingFacet = "the facet of a removed rating menu is not requested"
  case listOrder = "the order of numeric filters and of contexts has no meaning"
  case facetAsList = "a single facet is sent as a list"
  case tagsAsList = "tags are sent as a list"
  case highlightTags = "the tags of highlights are left to the service"
  case defaultFacetHits = "the number of values of a search for values is always sent"
  case earlierFacetSearch = "the values of the newest text only are shown"
  case composition = "compositions are not part of this package"
  // States
  case stateAfterFailure = "after a failure the state stays as the user has set it"
  case openedParts = "what is opened is a part of the state, so a new state closes it"
  case openedPartsInURL = "what is opened is in the state of the user interface"
  case keptStrictness = "a new state without a strictness has that of the index"
  case configuredFilters = "Configure has no filters; an application sets them"
  case configureInState = "the parameters of Configure are not in the state"
  case rejectedAction = "an action with an argument that is not possible throws"
  case textBound = "an application parses the text of a bound"
  case malformedState = "a malformed part of a state is an error"
  case emptyParts = "empty parts of a state are not written"
  case fallbackWidgets = "an application makes the widgets of other listed facets"
  // Views
  case status = "the status is that of a searcher, and not of a screen's value"
  case tiedRanks = "the order of values of equal rank is open"
  case uncertainFacet = "a facet that dynamic facets and an OR list name stays OR"
  case facetSearchEnd = "a search for values ends with the next results"
  case hiddenInFacetSearch = "a search for values does not find hidden ones"
  case exhaustiveFacetSearch = "in a search for values, the flag tells whether it has all"
  case minusValue = "a chosen value with a leading minus is shown with count 0"
  case chosenValue = "a chosen value has count 0, also if its own answer is empty"
  case unmarkedValue = "only a search for values marks words"
  case unknownTime = "before the first results, the time is unknown"
  case configuredHitsPerPage = "before results, the parameters of Configure are unknown"
  case clearBeforeResults = "refinements can be cleared before the first results"
  case breadcrumbVanishes = "a breadcrumb also shows levels that no answer has"
  case breadcrumbValue = "a step of a breadcrumb has its own path, and not the next one"
  case breadcrumbRoot = "the steps of a breadcrumb begin below the root path"
  case toggleSides = "the two sides of a toggle have no state of their own"
  case toggleBeforeResults = "before the first results, a toggle has no counts"
  case invertedItem = "an inverted item of a numeric menu is refused"
  case groupOrder = "the order of the current filters of one kind has no meaning"
  case unknownCount = "a current filter has the count that the results have"
  case unescapedPath = "a path that begins with a minus sign is sent escaped"
  // Links
  case linkPage1 = "the first page is not written"
  case linkKeepsPage = "a link to other results leads to their first page"
  case linkKeepsHitsPerPage = "a link to the default number of hits has that number"
  case linkDropsRootPath = "a link has the root path that the state after it has"
  // URLs
  case inheritedNames = "a parameter can have the name of a member of all objects"
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
