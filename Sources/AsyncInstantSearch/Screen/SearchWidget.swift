/// A part of a search screen, as a value: its options, what it needs of a search, and its view.
///
/// ```swift
/// struct ResultCount: SearchWidget {
///   func view(_ context: Context) -> String { "\(context.results?.page.nbHits ?? 0) films" }
/// }
/// ```
///
/// A widget has no state of its own. Its view is a function of the state of the search and the
/// newest results, and an action changes the state. What few widgets need is a refinement of this
/// protocol:
///
/// - ``RoutedWidget``: a part of the state of the user interface, and so of URLs.
/// - ``RememberingWidget``: a memory of what earlier results contained.
/// - ``RequestingWidget``: a request of its own, beside the search.
/// - ``RecordWidget``: records, which are decoded before a view shows them.
/// - ``StatusWidget``: a view that changes when a search begins or fails.
///
/// A ``SearchScreen`` contains widgets, for a server and for a searcher. A ``WidgetInteractor``
/// connects a single one.
public protocol SearchWidget<View>: Hashable, Sendable {
  /// What the widget displays.
  associatedtype View: Sendable & Equatable

  /// What is wrong with the options of the widget, such as a limit below zero; `nil` if nothing is,
  /// which is the default.
  ///
  /// A ``SearchScreen`` with a problem cannot be created: it throws the problem. A searcher to
  /// which such a widget is connected alone does not search, and makes no requests of its widgets:
  /// its searches and the widget's actions throw the problem. The widget shows what it shows before
  /// the first results. So widgets with constant options are created without `try`.
  var problem: SearchError? { get }

  /// Adds what the widget needs from a search. Defaults to nothing.
  ///
  /// - Parameters:
  ///   - needs: What the widgets before this one need.
  ///   - state: The state of the search.
  func declare(in needs: inout SearchNeeds, for state: IndexState)

  /// What the widget displays, made from the context alone.
  ///
  /// It is called on any thread, when the view is read, or a consumer waits for the next one. It
  /// must not connect widgets. An action in it is rejected. A view of the same screen that it reads
  /// may be an older one.
  func view(_ context: WidgetContext<Self>) -> View
}

extension SearchWidget {
  /// What a view of the widget is made from.
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

/// A widget that remembers what no state contains, such as the pages that were shown before.
///
/// What survives a reload is not remembered: it is opened; see ``IndexState/opened``.
public protocol RememberingWidget: SearchWidget {
  /// What the widget remembers.
  associatedtype Memory: Sendable & Equatable

  /// What the widget remembers at first.
  var initialMemory: Memory { get }

  /// Remembers what it needs of new results. A change of the search in it is refused, as in a view.
  /// Defaults to nothing.
  func receive(_ results: IndexResults, memory: inout Memory)
}

extension RememberingWidget {
  /// Remembers nothing of results.
  public func receive(_ results: IndexResults, memory: inout Memory) {}
}

/// A widget that needs a request beside the search.
public protocol RequestingWidget: SearchWidget {
  /// Returns the request that the widget needs; `nil` if it needs none. The response is
  /// ``WidgetContext/response``. A request can depend on the response to the one before, at most
  /// ten times until something else changes. An awaited search makes two requests at most.
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

/// A widget that activates others: those of a facet are active only while results list it.
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
