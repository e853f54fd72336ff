/// A part of a search screen, as a value: its options, its needs, and its view.
///
/// ```swift
/// struct ResultCount: SearchWidget {
///   func view(_ context: Context) -> String { "\(context.results?.page.nbHits ?? 0) films" }
/// }
/// ```
///
/// A widget is stateless. Its view is a function of the state of the search and the newest results,
/// and an action changes the state. Refinements of this protocol add features that few widgets
/// need:
///
/// - ``RoutedWidget``: a part of the state of the user interface, and so of URLs.
/// - ``RememberingWidget``: a memory of earlier results.
/// - ``RequestingWidget``: a separate request, beside the search.
/// - ``RecordWidget``: records, which are decoded before a view shows them.
/// - ``StatusWidget``: a view that changes when a search begins or fails.
///
/// A ``SearchScreen`` contains widgets, for a server and for a searcher. A ``WidgetInteractor``
/// connects a single one.
public protocol SearchWidget<View>: Hashable, Sendable {
  /// The view of the widget.
  associatedtype View: Sendable & Equatable

  /// The problem with the options of the widget, such as a limit below zero. Defaults to `nil`: the
  /// options are valid.
  ///
  /// A ``SearchScreen`` with a problem cannot be created: it throws the problem. A searcher with
  /// such a widget, connected alone, neither searches nor sends widgets' own requests: its searches
  /// and the widget's actions throw the problem. The widget keeps its view from before the first
  /// results. So widgets with constant options are created without `try`.
  var problem: SearchError? { get }

  /// Adds the needs of the widget. Defaults to nothing.
  ///
  /// - Parameters:
  ///   - needs: The needs of the widgets before this one.
  ///   - state: The state of the search.
  func declare(in needs: inout SearchNeeds, for state: IndexState)

  /// The view of the widget, made from the context alone.
  ///
  /// It is called on any thread, when the view is read, or a consumer waits for the next one. It
  /// must not connect widgets. An action in it is rejected. Other views of the same screen that it
  /// reads may be stale.
  func view(_ context: WidgetContext<Self>) -> View
}

extension SearchWidget {
  /// The inputs of a view of the widget.
  public typealias Context = WidgetContext<Self>
  /// The actions of the widget.
  public typealias Action = WidgetAction<Self>

  /// No problem.
  public var problem: SearchError? { nil }

  /// Needs nothing.
  public func declare(in needs: inout SearchNeeds, for state: IndexState) {}
}

/// A widget with parts of the state of the user interface: they are in URLs, and survive a reload.
public protocol RoutedWidget: SearchWidget {
  /// The parts that the widget writes and reads. No two widgets of a screen can read one part in
  /// different forms.
  var parts: [WidgetPart] { get }
}

/// A widget with a memory of data outside the state, such as previously displayed pages.
///
/// Data that must survive a reload belongs in ``IndexState/opened`` instead.
public protocol RememberingWidget: SearchWidget {
  /// The memory of the widget.
  associatedtype Memory: Sendable & Equatable

  /// The initial memory.
  var initialMemory: Memory { get }

  /// Updates the memory from new results. Like a view, it must not change the search: such a change
  /// is rejected. Defaults to nothing.
  func receive(_ results: IndexResults, memory: inout Memory)
}

extension RememberingWidget {
  /// Remembers nothing of results.
  public func receive(_ results: IndexResults, memory: inout Memory) {}
}

/// A widget that needs a request beside the search.
public protocol RequestingWidget: SearchWidget {
  /// Returns the widget's own request; `nil` without one. The response is
  /// ``WidgetContext/response``. A request can depend on the previous response, at most ten times
  /// until something else changes. An awaited search makes two requests at most.
  func request(in context: Context) -> WidgetRequest?
}

/// A widget whose view shows records. They are decoded before a searcher publishes results.
public protocol RecordWidget: SearchWidget {
  /// The type of the records, as in ``IndexResults/page(of:)``.
  associatedtype Record: Decodable & Sendable
}

/// A widget whose view shows the state of the search, such as a progress indicator. Other views are
/// not made again when only that state changes.
public protocol StatusWidget: SearchWidget {}

extension SearchError {
  /// Returns the error that a check of options throws; `nil` if they are right.
  static func thrown(_ check: () throws(SearchError) -> Void) -> SearchError? {
    do throws(SearchError) {
      try check()
      return nil
    } catch {
      return error
    }
  }
}

/// A widget that activates others: the widgets of a facet are active only while results list it.
package protocol ActivatingWidget: SearchWidget {
  /// Whether the widgets of a facet are active only while results list it.
  func manages(_ facet: String) -> Bool
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
