/// The place of a connected widget on the screen of a searcher. Searchers number their slots each
/// from 1, so the number alone would not tell two connections apart.
final class WidgetPlace: Sendable {
  /// The number of the slot.
  let id: UInt64
  let scope: ViewScope
  /// The screen, until the searcher is released. The screen retains its widgets.
  weak let screen: SearcherScreen?
  /// Tells whether the view is being made.
  fileprivate let making = ChangeOwner(of: "the view", in: "widget")

  init(id: UInt64, on screen: SearcherScreen) {
    self.id = id
    self.screen = screen
    scope = screen.viewScope
  }
}

/// The code of widgets that makes the views of one searcher. It cannot change the search.
final class ViewScope: Sendable {
  private let search: ChangeOwner
  private let views = ChangeOwner(of: "the views", in: "screen")

  /// - Parameter search: The owner of the search, which rejects changes.
  init(_ search: ChangeOwner) {
    self.search = search
  }

  /// Whether the caller is code that makes views.
  var isRunning: Bool { views.isChanging }

  /// Makes views.
  func run<Value, Failure>(_ make: () throws(Failure) -> Value) throws(Failure) -> Value {
    try ChangeOwner.preview([search, views], make)
  }

  /// Makes the view of a widget; `nil` in the code that makes it, which would not end.
  func view<View>(at place: WidgetPlace, _ make: () -> View) -> View? {
    if place.making.isChanging { return nil }
    return ChangeOwner.preview([search, views, place.making], make)
  }
}

/// A view with its number, which grows from view to view of a widget.
final class NumberedView<View: Sendable>: ControllerRevision {
  let count: UInt64
  let view: View

  init(count: UInt64, view: View) {
    self.count = count
    self.view = view
  }
}

/// Whether a consumer waits for each view of a widget. Otherwise a view is made when it is read.
final class WidgetWatch: Sendable {
  private struct State {
    var isOn = false
    /// The number of consumers that are subscribing.
    var subscribing = 0
  }

  private let state = Lock(State())

  var isOn: Bool { state.withLock { $0.isOn } }

  /// A consumer is about to subscribe.
  func begin() {
    state.withLock { state in
      state.isOn = true
      state.subscribing += 1
    }
  }

  /// A consumer has subscribed.
  func end() { state.withLock { $0.subscribing -= 1 } }

  /// Whether a consumer still waits: it ends without subscribers.
  func isOn(with hasSubscribers: () -> Bool) -> Bool {
    state.withLock { state in
      if state.isOn, state.subscribing == 0, !hasSubscribers() { state.isOn = false }
      return state.isOn
    }
  }
}

/// The view, the streams and the controllers of a widget that can be connected.
final class WidgetOutput<View: Sendable & Equatable>: Sendable {
  /// A place that the widget has left, and its last view.
  private struct Left: Sendable {
    let place: WidgetPlace
    let make: @Sendable () -> View
  }

  /// Whether a consumer waits for each view.
  let watch = WidgetWatch()
  /// Whether a request of the widget is pending.
  let isLoading = StreamHub<Bool>(initial: false, replaysCurrent: true, areEqual: ==)
  let controllers = ControllerConnections<NumberedView<View>>()
  private struct State {
    /// The place of the widget.
    var place: WidgetPlace?
    /// Where it was before.
    var left: Left?
    /// The number of views.
    var count: UInt64 = 0

    mutating func next(_ view: View) -> NumberedView<View> {
      count += 1
      return NumberedView(count: count, view: view)
    }
  }

  private let state = Lock(State())
  /// The views while a consumer waits for them.
  private let views: StreamHub<NumberedView<View>>
  private let initial: View
  private let stageView: (@Sendable (View) -> [@Sendable () -> Void])?

  /// Creates an output.
  ///
  /// - Parameters:
  ///   - initial: The first view.
  ///   - stageView: Called with each view under the lock of the screen. It returns the effects to
  ///     perform outside the lock. Defaults to nothing.
  init(
    _ initial: View, stageView: (@Sendable (View) -> [@Sendable () -> Void])? = nil
  ) {
    self.initial = initial
    self.stageView = stageView
    views = StreamHub(initial: NumberedView(count: 0, view: initial), replaysCurrent: true)
    if stageView != nil { watch.begin() }
  }

  deinit {
    views.finish()
    isLoading.finish()
  }

  // MARK: Reading

  /// The place whose screen has the newest view; `nil` without a connection.
  var place: WidgetPlace? { state.withLock { $0.place } }

  /// The newest view without a connection.
  var view: View {
    state.withLock { $0.left }.flatMap { $0.place.scope.view(at: $0.place, $0.make) }
      ?? lastPublished
  }

  /// The newest view that was published; the first view if no consumer has waited for views.
  var lastPublished: View { views.current?.view ?? initial }

  /// The views: the newest one first.
  func stream(buffering: StreamBuffering = .newest(1)) -> AsyncStream<NumberedView<View>> {
    subscribed { views.stream(buffering: buffering) }
  }

  /// The views: the newest first, without consecutive duplicates.
  func changes(buffering: StreamBuffering) -> AsyncStream<View> {
    let previous = PreviousView<View>()
    return subscribed {
      views.stream(buffering: buffering) { newest in
        previous.isChanged(to: newest.view) ? newest.view : nil
      }
    }
  }

  private func subscribed<Stream>(_ subscribe: () -> Stream) -> Stream {
    watch.begin()
    defer { watch.end() }
    if let place {
      place.screen?.show(place.id)
    } else {
      publish(view)
    }
    return subscribe()
  }

  /// Publishes a view, unless the widget was connected meanwhile.
  private func publish(_ view: View) {
    if lastPublished == view { return }
    state.withLock { $0.place == nil ? views.stage($0.next(view)) : nil }?.perform()
  }

  /// Waits until the controllers show the newest view; `false` if the task is cancelled first.
  func present() async -> Bool { await controllers.present(views.current) }

  // MARK: The screen

  /// The next view. Views that are made at the same time are published in the order of their
  /// numbers, because only the newest copy of a screen is committed.
  func next(_ view: View) -> NumberedView<View> { state.withLock { $0.next(view) } }

  /// Whether a consumer still waits for each view.
  func updateWatch() -> Bool { watch.isOn { views.subscriberCount > 0 } }

  /// The widget was connected, in place of an earlier connection.
  func connect(_ place: WidgetPlace) { state.withLock { $0.place = place } }

  /// A connection has ended. Another one may have replaced it.
  ///
  /// - Parameter make: Makes the last view.
  func leave(_ former: WidgetPlace, make: @escaping @Sendable () -> View) {
    let newest = Left(place: former, make: make)
    let (isLeft, before) = state.withLock { state -> (Bool, Left?) in
      guard state.place === former else { return (false, nil) }
      defer { (state.place, state.left) = (nil, newest) }
      return (true, state.left)
    }
    if isLeft { isLoading.send(false) }
    withExtendedLifetime(before) {}
  }

  /// Puts a view into the streams, unless another connection has replaced the one of a place.
  ///
  /// - Parameters:
  ///   - view: The view; `nil` if no consumer waits for it.
  /// - Returns: The effect to perform outside the lock.
  func stage(
    _ view: NumberedView<View>?, at former: WidgetPlace, isLoading: Bool
  ) -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard state.place === former else { return nil }
      let loading = self.isLoading.stage(isLoading)
      guard let view, views.current !== view else { return { loading.perform() } }
      let delivery = views.stage(view)
      let rest = stageView?(view.view) ?? []
      return {
        delivery.perform()
        for effect in rest { effect() }
        loading.perform()
      }
    }
  }
}

/// The newest view that a consumer of a stream has received.
private final class PreviousView<View: Sendable & Equatable>: Sendable {
  private let view = Lock<View?>(nil)

  /// Whether a view differs from the previous one. The views are compared without a lock.
  func isChanged(to newest: View) -> Bool {
    let previous = view.withLock { view in
      defer { view = newest }
      return view
    }
    return previous != newest
  }
}
