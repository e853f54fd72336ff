import AsyncInstantSearch
import Foundation
import Synchronization

/// The search on a terminal. This is the only place that receives events and draws.
struct TerminalScreen {
  private enum Event: Sendable {
    case input(TerminalInput.Event)
    /// No input followed the one with this number for a while.
    case inputPaused(Int)
    case screen(ScreenEvent)
  }

  /// How long an escape byte waits for the rest of a sequence.
  private static let escapeDelay = 0.05

  private let queue = EventQueue<Event>()
  private let search: FilmSearch
  private let start = ContinuousClock.now
  private var decoder = KeyDecoder()
  private var inputNumber = 0
  private var state = ScreenState(size: ScreenSize(columns: 80, rows: 24))
  private var frame: Frame?
  private var presented: PresentedRows?
  /// Whether the shell gets the terminal.
  private var isSuspending = false
  /// The hit to explain, if there is one.
  private var explainedID: String?
  /// The exit status, once the program ends.
  private var status: Int32?

  /// The rows that were last reported as visible, and how many of them were loaded.
  private struct PresentedRows: Equatable {
    var rows: Range<Int>
    var generation: UInt64
    var loadedCount: Int
  }

  private init() async throws {
    let queue = queue
    search = try await FilmSearch { queue.send(.screen(.engineTime($0))) }
  }

  /// Shows the screen until the user or a signal ends it.
  ///
  /// - Returns: The exit status of the program.
  static func run() async throws -> Int32 {
    var screen = try await TerminalScreen()
    return try await screen.run()
  }

  private mutating func run() async throws -> Int32 {
    let queue = queue
    let input = TerminalInput { queue.send(.input($0)) }
    defer { input.cancel() }
    let terminal = try Terminal()
    defer { terminal.restore() }
    state.size = try SerialSettings.size()
    let connections = connect()
    defer { for connection in connections { connection.disconnect() } }
    search.searcher.submit()
    for await _ in queue.arrivals {
      for entry in queue.takeAll() { try receive(entry.event, at: entry.time) }
      if let status { return status }
      if isSuspending { try suspend(terminal) }
      if let objectID = explainedID {
        explainedID = nil
        queue.send(.screen(.explained(objectID, await search.explanation(of: objectID))))
      }
      try draw(on: terminal)
      presentRows()
    }
    return 0
  }

  /// Receives what the search publishes.
  private func connect() -> [Connection] {
    let queue = queue
    let live = search.live
    let lists = search.lists.map { facet, list in
      live.updates(of: list).subscribe { queue.send(.screen(.facets([facet: $0.items]))) }
    }
    return lists + [
      search.hits.states.subscribe { queue.send(.screen(.hits(HitList($0)))) },
      live.updates(of: search.box).subscribe { queue.send(.screen(.suggestions($0))) },
      live.updates(of: search.loading).subscribe { queue.send(.screen(.stalled($0.isStalled))) },
      live.updates(of: search.chosen).subscribe { queue.send(.screen(.chosen($0.groups))) },
      search.searcher.errors.subscribe { queue.send(.screen(.failed($0.message))) },
      search.hits.errors.subscribe { queue.send(.screen(.failed($0.message))) },
    ]
  }

  private mutating func receive(
    _ event: Event, at time: ContinuousClock.Instant
  ) throws(SearchError) {
    switch event {
    case .input(.bytes(let bytes)):
      try apply(.keys(decoder.decode(bytes)), at: time)
      inputNumber += 1
      if decoder.isInSequence { waitForSequence() }
    case .inputPaused(let number):
      if number == inputNumber { try apply(.keys(decoder.timeOut()), at: time) }
    case .input(.resized(let size)): try apply(.resized(size), at: time)
    case .input(.ended): status = 0
    case .input(.signal(let number)): status = 128 + number
    case .screen(let event): try apply(event, at: time)
    }
  }

  private func waitForSequence() {
    let (queue, number) = (queue, inputNumber)
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.escapeDelay) {
      queue.send(.inputPaused(number))
    }
  }

  private mutating func apply(
    _ event: ScreenEvent, at time: ContinuousClock.Instant
  ) throws(SearchError) {
    let (live, box) = (search.live, search.box)
    for command in state.apply(event, at: time - start) {
      switch command {
      case .setQuery(let text): try live.perform(box.setQuery(text))
      case .selectNext: try live.perform(box.selectNext())
      case .selectPrevious: try live.perform(box.selectPrevious())
      case .submit:
        try live.perform(box.submit())
        search.searcher.submit()
      case .choose: try live.perform(box.submit())
      case .toggle(let facet, let value):
        if let list = search.lists[facet] { try live.perform(list.toggle(value)) }
      case .clearFilters: try live.perform(search.clear.clear())
      case .explain(let objectID): explainedID = objectID
      case .redraw: frame = nil
      case .suspend: isSuspending = true
      case .end: status = 0
      }
    }
  }

  /// Gives the terminal to the shell, and takes it back when the shell lets the program continue.
  private mutating func suspend(_ terminal: Terminal) throws {
    isSuspending = false
    terminal.restore()
    kill(getpid(), SIGSTOP)
    try terminal.take()
    state.size = try SerialSettings.size()
    frame = nil
  }

  private mutating func draw(on terminal: Terminal) throws {
    let next = Frame(state)
    let output = next.output(after: frame)
    frame = next
    if !output.isEmpty { try terminal.write(output) }
  }

  /// Makes the list load the visible rows: when other rows are visible, and when some of them have
  /// arrived. A page that failed is therefore not requested in a loop.
  private mutating func presentRows() {
    let rows = state.visibleHits
    let missing = rows.filter { state.hits.hit($0) == nil }
    let visible = PresentedRows(
      rows: rows, generation: state.hits.generation, loadedCount: rows.count - missing.count)
    guard visible != presented else { return }
    presented = visible
    for row in missing + [rows.first, rows.last].compactMap(\.self) {
      search.hits.notifyDidPresentRow(atIndex: row)
    }
  }
}

/// Events from any thread for one reader, which takes all that came since it last looked.
final class EventQueue<Event: Sendable>: Sendable {
  /// An event and when it was sent.
  struct Entry: Sendable {
    let event: Event
    let time: ContinuousClock.Instant
  }

  private let entries = Mutex<[Entry]>([])
  private let wake: AsyncStream<Void>.Continuation
  /// One element whenever there are new events.
  let arrivals: AsyncStream<Void>

  init() {
    (arrivals, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func send(_ event: Event) {
    entries.withLock { $0.append(Entry(event: event, time: .now)) }
    wake.yield()
  }

  /// Returns the events in order, and forgets them.
  func takeAll() -> [Entry] {
    entries.withLock { entries in
      defer { entries = [] }
      return entries
    }
  }
}
