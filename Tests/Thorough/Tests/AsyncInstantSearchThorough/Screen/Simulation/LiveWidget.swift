@testable import AsyncInstantSearch
@testable import InstantSearchClient

/// A widget that is connected to a searcher, with the random actions of a user.
struct LiveWidget: Sendable {
  /// What an action did, and what it should have done.
  struct Deed {
    /// The name of the widget.
    let name: String
    /// The state that follows from the action.
    let expected: IndexState
    let isPossible: Bool
    let isPerformed: Bool
  }

  let name: String
  /// Performs a random action, as a user does who sees the view.
  ///
  /// The screen is a model of the same widgets: it performs the action, too. `nil` if the view
  /// offers no action.
  let performAny: @Sendable (SeededRandom, inout SearchScreen) -> Deed?
  /// Whether the view is that of the model.
  let shows: @Sendable (SearchScreen) -> Bool
  /// Whether the view is the one from scratch.
  let showsScratch: @Sendable (Scratch) -> Bool
  /// Performs a random action, as a user does who sees the view. Returns whether it was possible;
  /// `nil` if the view offers no action.
  let perform: @Sendable (SeededRandom) -> Bool?
  /// Whether the view is the one of an awaited search.
  let showsResults: @Sendable (ScreenResults) -> Bool
  /// The link of a random action, and the same action on the searcher; `nil` if the view offers
  /// none that is possible.
  let link: @Sendable (SeededRandom, ScreenResults) -> (String, @Sendable () throws -> Void)?
  /// Waits for the searches, and for the widget's own requests.
  let settle: @Sendable () async throws -> Void

  /// Connects a widget.
  ///
  /// - Parameters:
  ///   - interactor: Connected to the searcher.
  ///   - isEqual: Whether a view shows the same as one from scratch, for views with more than the
  ///     newest results. Defaults to whether they are equal.
  ///   - isSame: Whether a view shows the same as that of an awaited search, as far as that can
  ///     know it. Defaults to whether they are equal.
  ///   - action: Returns a random action.
  init<W: SearchWidget>(
    _ interactor: WidgetInteractor<W>,
    isEqual: (@Sendable (W.View, W.View, Scratch) -> Bool)? = nil,
    isSame: @escaping @Sendable (W.View, W.View) -> Bool = { $0 == $1 },
    action: @escaping @Sendable (W, W.View, SeededRandom) -> WidgetAction<W>?
  ) {
    let (name, widget) = ("\(W.self)", interactor.widget)
    self.name = name
    performAny = { random, screen in
      guard let action = action(widget, interactor.view, random) else { return nil }
      let isPossible = (try? screen.perform(action)) != nil
      let isPerformed = (try? interactor.perform(action)) != nil
      return Deed(
        name: name, expected: screen.state, isPossible: isPossible, isPerformed: isPerformed)
    }
    shows = { screen in
      // The response to a search for values is not that of the searcher.
      guard screen.request(of: widget) == nil else { return true }
      return interactor.view == screen.view(of: widget)
    }
    showsScratch = { scratch in
      let (view, other) = (interactor.view, scratch.view(of: widget))
      return isEqual?(view, other, scratch) ?? (view == other)
    }
    perform = { random in
      action(widget, interactor.view, random).map { (try? interactor.perform($0)) != nil }
    }
    showsResults = { isSame(interactor.view, $0.view(of: widget)) }
    link = { random, results in
      guard let action = action(widget, interactor.view, random),
        let link = try? results.link(after: action)
      else { return nil }
      return (link, { try interactor.perform(action) })
    }
    settle = { _ = try await interactor.settledView() }
  }
}

/// Remembers all results, in the order in which the widgets of the searcher receive them.
struct ResultsLog: RememberingWidget {
  struct Memory: Sendable, Equatable {
    var results: [IndexResults] = []

    static func == (left: Memory, right: Memory) -> Bool {
      left.results.map(\.generation) == right.results.map(\.generation)
    }
  }

  /// The results, and the number of the newest search that was answered.
  struct View: Sendable, Equatable {
    var log = Memory()
    var generation: UInt64 = 0
  }

  var initialMemory: Memory { Memory() }

  func receive(_ results: IndexResults, memory: inout Memory) { memory.results.append(results) }

  func view(_ context: Context) -> View {
    View(log: context.memory, generation: context.results?.generation ?? 0)
  }
}

extension WidgetInteractor where W == ResultsLog {
  /// Whether no view in a subscription from the beginning is one of an older search than the view
  /// before, and the last is the current one.
  static func isOrdered(_ views: AsyncStream<ResultsLog.View>, until last: ResultsLog.View) async
    -> Bool
  {
    var newest: UInt64 = 0
    for await view in views {
      if view.generation < newest { return false }
      newest = view.generation
      if view == last { return view.log.results.allSatisfy { $0.generation <= newest } }
    }
    return false
  }
}
