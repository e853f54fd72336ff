/// A widget on a screen, with the screen's data about it.
struct WidgetSlot: Sendable {
  /// The number of the slot, ascending.
  let id: UInt64
  let entry: any WidgetEntry
  /// The facet that the widget displays; `nil` if it displays none.
  let facet: String?
  /// Whether a consumer waits for each view; `nil` without a searcher.
  let watch: WidgetWatch?
  /// The memory of the widget; `nil` if it has no memory.
  var memory: (any Sendable & Equatable)?
  /// The widget's own request.
  var own = OwnRequest()
  /// The number of the newest search when the widget was connected.
  var connectedAt: UInt64 = 0
  /// Whether something was changed that only this view shows.
  var isDirty = true
  /// Whether the streams tell that the own request is pending.
  var shownIsPending = false
  /// The newest view, if a consumer waits for it.
  fileprivate var shown: (any AnyObject & Sendable)?

  /// Creates a slot on a screen without a searcher.
  init<W: SearchWidget>(_ widget: W, id: UInt64) {
    self.init(
      Entry(widget, output: nil, place: nil), id: id, memory: widget.firstMemory, watch: nil)
  }

  /// Creates a slot on the screen of a searcher.
  init<W: SearchWidget>(_ widget: W, output: WidgetOutput<W.View>, at place: WidgetPlace) {
    self.init(
      Entry(widget, output: output, place: place), id: place.id, memory: widget.firstMemory,
      watch: output.watch)
  }

  private init(
    _ entry: any WidgetEntry, id: UInt64, memory: (any Sendable & Equatable)?,
    watch: WidgetWatch?
  ) {
    self.entry = entry
    self.id = id
    self.memory = memory
    self.watch = watch
    facet = entry.parts.lazy.compactMap(\.name.facet).first
  }

  /// The same widget in a slot of a searcher, with separate streams.
  func connected(to screen: SearcherScreen, as id: UInt64) -> WidgetSlot {
    let place = WidgetPlace(id: id, on: screen)
    func slot<W: SearchWidget>(_ widget: W) -> WidgetSlot {
      let output = WidgetOutput(widget.initialView)
      output.connect(place)
      return WidgetSlot(widget, output: output, at: place)
    }
    return slot(entry.anyWidget)
  }

  /// The streams of the widget; `nil` on a screen without a searcher.
  func output<W: SearchWidget>(of type: W.Type) -> WidgetOutput<W.View>? {
    (entry as? Entry<W>)?.output
  }

  /// The newest view of the widget; `nil` if no consumer waits for it.
  func shownView<W: SearchWidget>(of type: W.Type) -> W.View? {
    // A cast costs much more than this.
    if shown == nil { return nil }
    return (shown as? NumberedView<W.View>)?.view
  }

  /// The view of the widget; `nil` for a widget of another type.
  func view<W: SearchWidget>(of type: W.Type, _ inputs: WidgetInputs) -> W.View? {
    (entry as? Entry<W>)?.view(inputs, self)
  }

  /// The context that an action of the widget changes; `nil` for a widget of another type.
  func context<W: SearchWidget>(of type: W.Type, _ inputs: WidgetInputs) -> WidgetContext<W>? {
    (entry as? Entry<W>)?.context(inputs, self)
  }

  /// Whether this is a slot of an equal widget.
  func contains<W: SearchWidget>(_ widget: W) -> Bool {
    (entry as? Entry<W>)?.widget == widget
  }

  /// The widget's own request; `nil` without one.
  func request(in inputs: WidgetInputs) -> WidgetRequest? { entry.request(in: inputs, self) }

  /// Updates the memory of the widget from new results.
  mutating func receive(_ results: IndexResults) {
    if memory != nil { memory = entry.memory(after: results, self) }
  }

  private var isWatched: Bool { watch?.isOn == true }

  /// Whether new inputs have no effect before the view is read.
  var isIdle: Bool { !isWatched && shown == nil && !entry.isRequesting }

  /// Makes the view again from inputs if a consumer waits for it. Returns whether it differs.
  mutating func refresh(_ inputs: WidgetInputs) -> Bool {
    guard isWatched, entry.updateWatch() else {
      shown = nil
      return false
    }
    guard let newest = entry.view(inputs, self, after: shown) else { return false }
    shown = newest
    return true
  }
}

/// A widget of any type. Entries do not change, so all copies of a screen share them.
protocol WidgetEntry: AnyObject, Sendable {
  var key: WidgetKey { get }
  var anyWidget: any SearchWidget { get }
  /// The parts of the state of the user interface.
  var parts: [WidgetPart] { get }
  /// Whether the view shows the state of the search.
  var showsStatus: Bool { get }
  /// The place on the screen of a searcher; `nil` without one.
  var place: WidgetPlace? { get }
  /// Whether the widget can send its own requests.
  var isRequesting: Bool { get }
  /// The problem with the options of the widget; `nil` if they are valid.
  var problem: SearchError? { get }

  func declare(in needs: inout SearchNeeds, for state: IndexState)
  func request(in inputs: WidgetInputs, _ slot: WidgetSlot) -> WidgetRequest?
  /// Decodes the records that the view shows.
  func prepare(_ results: IndexResults)
  func memory(after results: IndexResults, _ slot: WidgetSlot) -> (any Sendable & Equatable)?
  /// The view with its number; `nil` if it equals the displayed view.
  func view(
    _ inputs: WidgetInputs, _ slot: WidgetSlot, after shown: (any AnyObject & Sendable)?
  ) -> (any AnyObject & Sendable)?
  /// Puts the view into the streams of the widget, and whether it waits for its own request.
  /// Returns the effect to perform outside the lock.
  func publish(_ slot: WidgetSlot) -> (@Sendable () -> Void)?
  /// Whether a consumer still waits for each view.
  func updateWatch() -> Bool
  /// Whether controllers show the widget.
  var hasControllers: Bool { get }
  /// Waits until the controllers show the newest view; `false` if the task is cancelled first.
  func present() async -> Bool
  /// The widget is being removed. Its view remains the newest one, and it waits for nothing.
  func leave(_ inputs: WidgetInputs, _ slot: WidgetSlot)
}

/// The inputs of the views of one index.
struct WidgetInputs: Sendable {
  /// The state with the defaults of the widgets.
  var state: IndexState
  var results: IndexResults?
  var status = SearchState.idle
}

/// A widget's own request.
struct OwnRequest: Sendable {
  /// The request that is answered or running.
  var request: OwnedRequest?
  /// The number of the request.
  var number: UInt64 = 0
  /// The newest response.
  var response: WidgetResponse?
  /// The request of the newest response.
  var answered: OwnedRequest?
  /// The number of responses since something else has changed. A request can depend on a response,
  /// but not without end.
  var successive = 0
  /// Whether the widget may make requests: a search has begun since it was connected, or an action
  /// was performed.
  var isAllowed = false

  /// The maximum number of consecutive requests that each depend on the previous response.
  static let limit = 10

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
  let place: WidgetPlace?
  let isRequesting: Bool
  let problem: SearchError?

  init(_ widget: W, output: WidgetOutput<W.View>?, place: WidgetPlace?) {
    self.widget = widget
    self.output = output
    self.place = place
    key = WidgetKey(widget)
    let problem = widget.problem
    self.problem = problem
    parts = problem == nil ? (widget as? any RoutedWidget)?.parts ?? [] : []
    // Casts cost more than these closures.
    makeRequest = (widget as? any RequestingWidget).map { Entry<W>.makingRequests(of: $0) }
    isRequesting = makeRequest != nil
    decode = (widget as? any RecordWidget).map { Entry<W>.decoding($0) }
    showsStatus = widget is any StatusWidget
  }

  var anyWidget: any SearchWidget { widget }

  func updateWatch() -> Bool { output?.updateWatch() == true }

  func context(_ inputs: WidgetInputs, _ slot: WidgetSlot) -> WidgetContext<W> {
    WidgetContext(widget, inputs, slot)
  }

  func view(_ inputs: WidgetInputs, _ slot: WidgetSlot) -> W.View {
    problem == nil ? widget.view(WidgetContext(widget, inputs, slot)) : widget.initialView
  }

  func declare(in needs: inout SearchNeeds, for state: IndexState) {
    if let problem {
      needs.problem = needs.problem ?? problem
    } else {
      widget.declare(in: &needs, for: state)
    }
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
    guard let output else { return nil }
    let newest = view(inputs, slot)
    return (shown as? NumberedView<W.View>)?.view == newest ? nil : output.next(newest)
  }

  func publish(_ slot: WidgetSlot) -> (@Sendable () -> Void)? {
    guard let output, let place else { return nil }
    return output.stage(
      slot.shown as? NumberedView<W.View>, at: place, isLoading: slot.own.isPending)
  }

  var hasControllers: Bool { output?.controllers.isUsed == true }

  func present() async -> Bool { await output?.present() ?? true }

  func leave(_ inputs: WidgetInputs, _ slot: WidgetSlot) {
    guard let place else { return }
    // The output keeps the closure, so this does not keep the output.
    output?.leave(place) { [widget, problem, context = context(inputs, slot)] in
      problem == nil ? widget.view(context) : widget.initialView
    }
  }
}
