/// A widget on a screen, with what the screen knows of it.
struct WidgetSlot: Sendable {
  /// The number of the slot, ascending.
  let id: UInt64
  let entry: any WidgetEntry
  /// The facet that the widget displays; `nil` if it displays none.
  let facet: String?
  /// What the widget remembers; `nil` if it remembers nothing.
  var memory: (any Sendable & Equatable)?
  /// The widget's own request.
  var own = OwnRequest()
  /// The number of the newest search when the widget was connected.
  var connectedAt: UInt64 = 0
  /// Whether something was changed that only this view shows.
  var isDirty = true
  /// Whether the streams tell that the own request is pending.
  var shownIsPending = false
  /// The number of the inputs that the view shows.
  var shownInputsCount: UInt64 = 0
  /// The view that was made last, if a searcher shows it.
  private var shown: (any AnyObject & Sendable)?

  /// Creates a slot. On a screen without a searcher there is no output.
  init<W: SearchWidget>(
    _ widget: W, id: UInt64, output: WidgetOutput<W.View>? = nil, owner: OutputOwner = OutputOwner()
  ) {
    let entry = Entry(widget, output: output, owner: owner)
    self.init(entry, id: id, facet: entry.parts.lazy.compactMap(\.name.facet).first)
    memory = widget.firstMemory
  }

  private init(_ entry: any WidgetEntry, id: UInt64, facet: String?) {
    self.entry = entry
    self.id = id
    self.facet = facet
  }

  /// The same widget in a slot of a searcher, with streams of its own.
  func connected(as id: UInt64) -> WidgetSlot {
    func slot(_ widget: some SearchWidget) -> WidgetSlot {
      let (output, owner) = (WidgetOutput(widget.initialView), OutputOwner())
      output.publishOnly(owner)
      return WidgetSlot(widget, id: id, output: output, owner: owner)
    }
    return slot(entry.anyWidget)
  }

  /// The streams of the widget; `nil` on a screen without a searcher.
  func output<W: SearchWidget>(of type: W.Type) -> WidgetOutput<W.View>? {
    (entry as? Entry<W>)?.output
  }

  /// What a view of the widget is made from; `nil` for a widget of another type.
  func context<W: SearchWidget>(of type: W.Type, _ inputs: WidgetInputs) -> WidgetContext<W>? {
    (entry as? Entry<W>)?.context(inputs, self)
  }

  /// Whether this is a slot of an equal widget.
  func contains<W: SearchWidget>(_ widget: W) -> Bool {
    (entry as? Entry<W>)?.widget == widget
  }

  /// The request that the widget needs beside the search; `nil` if it needs none.
  func request(in inputs: WidgetInputs) -> WidgetRequest? { entry.request(in: inputs, self) }

  /// Remembers what the widget needs of new results.
  mutating func receive(_ results: IndexResults) {
    if memory != nil { memory = entry.memory(after: results, self) }
  }

  /// Makes the view again from inputs. Returns whether it is another one.
  mutating func refresh(_ inputs: WidgetInputs) -> Bool {
    guard let newest = entry.view(inputs, self, after: shown) else { return false }
    shown = newest
    return true
  }

  /// Puts the view into the streams of the widget, and whether it waits for its own request.
  /// Returns what is left to do without a lock.
  func publish() -> [@Sendable () -> Void] { entry.publish(shown, of: self) }
}

/// A widget of any type. Entries do not change, so all copies of a screen share them.
protocol WidgetEntry: AnyObject, Sendable {
  var key: WidgetKey { get }
  var anyWidget: any SearchWidget { get }
  /// The parts of the state of the user interface.
  var parts: [WidgetPart] { get }
  /// Whether the view shows the state of the search.
  var showsStatus: Bool { get }

  func declare(in parameters: inout WidgetParameters, for state: IndexState)
  func request(in inputs: WidgetInputs, _ slot: WidgetSlot) -> WidgetRequest?
  /// Decodes the records that the view shows.
  func prepare(_ results: IndexResults)
  func memory(after results: IndexResults, _ slot: WidgetSlot) -> (any Sendable & Equatable)?
  /// The view with its number; `nil` if it equals the one that is shown.
  func view(
    _ inputs: WidgetInputs, _ slot: WidgetSlot, after shown: (any AnyObject & Sendable)?
  ) -> (any AnyObject & Sendable)?
  func publish(
    _ shown: (any AnyObject & Sendable)?, of slot: WidgetSlot
  ) -> [@Sendable () -> Void]
  /// Whether controllers show the widget.
  var hasControllers: Bool { get }
  /// Waits until the controllers show the newest view; `false` if the task is cancelled first.
  func present() async -> Bool
  /// The widget was removed. Its streams keep the newest view and wait for nothing.
  func leave()
}

/// What the views of one index are made from.
struct WidgetInputs: Sendable {
  /// The state with what widgets add to it.
  var state: IndexState
  var results: IndexResults?
  var status = SearchState.idle
}

/// The request that a widget has made beside the search.
struct OwnRequest: Sendable {
  /// The request that is answered or running.
  var request: OwnedRequest?
  /// The number of the request.
  var number: UInt64 = 0
  /// The newest response.
  var response: WidgetResponse?
  /// The request of the newest response.
  var answered: OwnedRequest?
  /// Whether the widget may make requests: a search has begun since it was connected, or an action
  /// was performed.
  var isAllowed = false

  /// Whether the request is pending.
  var isPending: Bool { request != nil && request != answered }
}

extension WidgetContext {
  fileprivate init(_ widget: W, _ inputs: WidgetInputs, _ slot: WidgetSlot) {
    self.init(
      widget, state: inputs.state, results: inputs.results, response: slot.own.response,
      status: inputs.status, storedMemory: slot.memory)
  }
}

/// The type of a widget and its hash. Several widgets can have the same key.
struct WidgetKey: Hashable, Sendable {
  let type: ObjectIdentifier
  let hash: Int

  init<W: SearchWidget>(_ widget: W) {
    type = ObjectIdentifier(W.self)
    hash = widget.hashValue
  }
}

private final class Entry<W: SearchWidget>: WidgetEntry {
  let key: WidgetKey
  let widget: W
  let parts: [WidgetPart]
  let showsStatus: Bool
  private let makeRequest: (@Sendable (WidgetInputs, WidgetSlot) -> WidgetRequest?)?
  private let decode: (@Sendable (IndexResults) -> Void)?
  /// Receives views; `nil` on a screen without a searcher.
  let output: WidgetOutput<W.View>?
  private let owner: OutputOwner

  init(_ widget: W, output: WidgetOutput<W.View>?, owner: OutputOwner) {
    self.widget = widget
    self.output = output
    self.owner = owner
    key = WidgetKey(widget)
    parts = (widget as? any RoutedWidget)?.parts ?? []
    // Casts cost more than what these do.
    makeRequest = (widget as? any RequestingWidget).map { Entry<W>.makingRequests(of: $0) }
    decode = (widget as? any RecordWidget).map { Entry<W>.decoding($0) }
    showsStatus = widget is any StatusWidget
  }

  var anyWidget: any SearchWidget { widget }

  func context(_ inputs: WidgetInputs, _ slot: WidgetSlot) -> WidgetContext<W> {
    WidgetContext(widget, inputs, slot)
  }

  func declare(in parameters: inout WidgetParameters, for state: IndexState) {
    widget.declare(in: &parameters, for: state)
  }

  private static func makingRequests<R: RequestingWidget>(
    of widget: R
  ) -> @Sendable (WidgetInputs, WidgetSlot) -> WidgetRequest? {
    { widget.request(in: WidgetContext(widget, $0, $1)) }
  }

  private static func decoding<R: RecordWidget>(
    _ widget: R
  ) -> @Sendable (IndexResults) -> Void {
    { _ = $0.page(of: R.Record.self) }
  }

  func request(in inputs: WidgetInputs, _ slot: WidgetSlot) -> WidgetRequest? {
    makeRequest?(inputs, slot)
  }

  func prepare(_ results: IndexResults) { decode?(results) }

  func memory(after results: IndexResults, _ slot: WidgetSlot) -> (any Sendable & Equatable)? {
    func received<R: RememberingWidget>(by widget: R) -> (any Sendable & Equatable)? {
      var memory = slot.memory as? R.Memory ?? widget.initialMemory
      widget.receive(results, memory: &memory)
      return memory
    }
    return (widget as? any RememberingWidget).flatMap { received(by: $0) }
  }

  func view(
    _ inputs: WidgetInputs, _ slot: WidgetSlot, after shown: (any AnyObject & Sendable)?
  ) -> (any AnyObject & Sendable)? {
    let newest = widget.view(context(inputs, slot))
    if let shown = shown as? NumberedView<W.View>, shown.view == newest { return nil }
    return NumberedView(count: output?.nextCount() ?? 0, view: newest)
  }

  func publish(
    _ shown: (any AnyObject & Sendable)?, of slot: WidgetSlot
  ) -> [@Sendable () -> Void] {
    guard let output, let shown = shown as? NumberedView<W.View> else { return [] }
    return output.stage(shown, by: owner, isLoading: slot.own.isPending)
  }

  var hasControllers: Bool { output?.controllers.isUsed == true }

  func present() async -> Bool { await output?.present() ?? true }

  func leave() { output?.leave(owner) }
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

/// A connection whose views an output publishes. Searchers number their slots each from 1, so the
/// number of a slot would not tell two connections apart.
final class OutputOwner: Sendable {}

/// The streams and the controllers of a connected widget.
final class WidgetOutput<View: Sendable & Equatable>: Sendable {
  /// The views.
  let views: StreamHub<NumberedView<View>>
  /// Whether a request of the widget is pending.
  let isLoading = StreamHub<Bool>(initial: false, replaysCurrent: true, areEqual: ==)
  let controllers = ControllerConnections<NumberedView<View>>()
  /// The connection whose views are published; `nil` without a searcher.
  private let owner = Lock<OutputOwner?>(nil)
  private let count = Lock<UInt64>(0)
  private let stageView: (@Sendable (View) -> [@Sendable () -> Void])?

  /// Creates an output.
  ///
  /// - Parameters:
  ///   - initial: The first view.
  ///   - stageView: Called with each view under the lock of the screen. It returns what is left to
  ///     do without a lock. Defaults to nothing.
  init(
    _ initial: View, stageView: (@Sendable (View) -> [@Sendable () -> Void])? = nil
  ) {
    self.stageView = stageView
    views = StreamHub(initial: NumberedView(count: 0, view: initial), replaysCurrent: true)
  }

  deinit {
    views.finish()
    isLoading.finish()
  }

  /// The number of the next view. Views that are made at the same time are published in the order
  /// of their numbers, because only the newest copy of a screen is committed.
  func nextCount() -> UInt64 {
    count.withLock { count in
      count += 1
      return count
    }
  }

  /// Publishes the views of an owner in place of another.
  func publishOnly(_ newest: OutputOwner) { owner.withLock { $0 = newest } }

  /// A connection has ended. Another one may have replaced it.
  func leave(_ former: OutputOwner) {
    let isOwner = owner.withLock { owner in
      guard owner === former else { return false }
      owner = nil
      return true
    }
    if isOwner { isLoading.send(false) }
  }

  /// Puts a view into the streams, unless another connection has replaced the one of an owner.
  func stage(
    _ view: NumberedView<View>, by former: OutputOwner, isLoading: Bool
  ) -> [@Sendable () -> Void] {
    owner.withLock { owner in
      guard owner === former else { return [] }
      var effects: [@Sendable () -> Void] = []
      if views.current !== view {
        let delivery = views.stage(view)
        effects.append { delivery.perform() }
        if let stageView { effects += stageView(view.view) }
      }
      let loading = self.isLoading.stage(isLoading)
      effects.append { loading.perform() }
      return effects
    }
  }

  func present() async -> Bool { await controllers.present(views.current) }
}
