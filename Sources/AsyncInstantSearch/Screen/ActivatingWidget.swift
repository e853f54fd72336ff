/// A widget that activates others: those of a facet are active only while results list it.
package protocol ActivatingWidget: SearchWidget {
  /// Whether the widgets of a facet are active only while results list it.
  func manages(_ facet: String) -> Bool
}

extension IndexResults {
  /// The facets that the results list, in the order of the server.
  var listedFacets: [String] { page.renderingContent?.facetOrdering?.facets?.order ?? [] }
}

extension SearchError {
  /// A widget is inactive because the newest results do not list its facet.
  static func inactive<W: SearchWidget>(_ widget: W.Type, _ facet: String) -> SearchError {
    SearchError(
      .invalidRequest,
      """
      The \(W.self) of "\(facet)" is inactive, because the newest results do not list the facet. \
      Show only the widgets of the facets in the view of the DynamicFacets.
      """)
  }
}
