public import Tracing
import Synchronization

/// Records spans for a back end of OpenTelemetry, such as a collector or Jaeger.
///
/// ```swift
/// let tracer = OTLPTracer()
/// InstrumentationSystem.bootstrap(tracer)
/// let exporter = OTLPExporter(
///   of: tracer, endpoint: "http://127.0.0.1:4318", service: "search", logger: logger)
/// try await exporter.run()
/// ```
///
/// A span whose parent was sampled is sampled, and so is a part of the others. Those that nobody
/// takes are dropped, the oldest first.
public final class OTLPTracer: Tracer {
  /// The most spans that wait for the exporter.
  static let maximumCount = 4_096

  /// The part of the traces that begin here which are sampled, from 0 to 1.
  private let ratio: Double
  private let ended = Mutex<[FinishedSpan]>([])
  private let dropped = Atomic<Int>(0)

  /// Creates a tracer.
  ///
  /// - Parameter ratio: The part of the traces that begin here which are sampled. Defaults to all.
  public init(ratio: Double = 1) { self.ratio = ratio }

  /// Begins a span.
  public func startSpan<Instant: TracerInstant>(
    _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
    at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
  ) -> OTLPSpan {
    var context = context()
    let parent = context.trace
    context.trace = TraceContext(
      traceID: parent?.traceID ?? Self.randomBytes(16), spanID: Self.randomBytes(8),
      isSampled: parent?.isSampled ?? (Double.random(in: 0..<1) < ratio), state: parent?.state)
    return OTLPSpan(
      operationName, kind, context, parent?.spanID, instant().nanosecondsSinceEpoch, self)
  }

  /// Does nothing: the exporter takes the spans.
  public func forceFlush() {}

  /// Continues the trace of a caller.
  public func extract<Carrier, Extract: Extractor>(
    _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
  ) where Extract.Carrier == Carrier {
    guard let text = extractor.extract(key: "traceparent", from: carrier) else { return }
    context.trace = TraceContext(
      traceparent: text, state: extractor.extract(key: "tracestate", from: carrier))
  }

  /// Lets another service continue the trace.
  public func inject<Carrier, Inject: Injector>(
    _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
  ) where Inject.Carrier == Carrier {
    guard let trace = context.trace else { return }
    injector.inject(trace.traceparent, forKey: "traceparent", into: &carrier)
    if let state = trace.state { injector.inject(state, forKey: "tracestate", into: &carrier) }
  }

  func end(_ span: FinishedSpan) {
    ended.withLock { ended in
      if ended.count >= Self.maximumCount {
        ended.removeFirst(Self.maximumCount / 2)
        dropped.wrappingAdd(Self.maximumCount / 2, ordering: .relaxed)
      }
      ended.append(span)
    }
  }

  /// Takes the spans that have ended, and the number of those that were dropped.
  func take() -> (spans: [FinishedSpan], droppedCount: Int) {
    let spans = ended.withLock { ended in
      defer { ended = [] }
      return ended
    }
    return (spans, dropped.exchange(0, ordering: .relaxed))
  }

  private static func randomBytes(_ count: Int) -> [UInt8] {
    // All zeros is not an ID.
    (0..<count).map { $0 == 0 ? .random(in: 1...255) : .random(in: 0...255) }
  }
}

/// A span of an ``OTLPTracer``.
public final class OTLPSpan: Span {
  /// The context of what happens in the span.
  public let context: ServiceContext
  private let tracer: OTLPTracer
  private let state: Mutex<FinishedSpan?>

  init(
    _ name: String, _ kind: SpanKind, _ context: ServiceContext, _ parentID: [UInt8]?,
    _ start: UInt64, _ tracer: OTLPTracer
  ) {
    self.context = context
    self.tracer = tracer
    state = Mutex(
      context.trace.flatMap { trace in
        trace.isSampled ? FinishedSpan(name, kind, trace, parentID, start) : nil
      })
  }

  /// The name of the operation.
  public var operationName: String {
    get { state.withLock { $0?.name ?? "" } }
    set { state.withLock { $0?.name = newValue } }
  }

  /// What is known of the operation.
  public var attributes: SpanAttributes {
    get { state.withLock { $0?.attributes ?? [:] } }
    set { state.withLock { $0?.attributes = newValue } }
  }

  /// Whether the span is sampled, and has not ended.
  public var isRecording: Bool { state.withLock { $0 != nil } }

  /// Says whether the operation has failed.
  public func setStatus(_ status: SpanStatus) { state.withLock { $0?.status = status } }

  /// Adds what has happened.
  public func addEvent(_ event: SpanEvent) { state.withLock { $0?.events.append(event) } }

  /// Adds an error by its type: its text may quote what is secret.
  public func recordError<Instant: TracerInstant>(
    _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
  ) {
    var attributes = attributes
    attributes["exception.type"] = "\(type(of: error))"
    addEvent(SpanEvent(name: "exception", at: instant(), attributes: attributes))
  }

  /// Does nothing.
  public func addLink(_ link: SpanLink) {}

  /// Ends the span.
  public func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
    let end = instant().nanosecondsSinceEpoch
    let span = state.withLock { state -> FinishedSpan? in
      defer { state = nil }
      state?.end = end
      return state
    }
    if let span { tracer.end(span) }
  }
}

/// What is sent of a span.
struct FinishedSpan {
  var name: String
  let kind: SpanKind
  let trace: TraceContext
  let parentID: [UInt8]?
  let start: UInt64
  var end: UInt64 = 0
  var attributes: SpanAttributes = [:]
  var events: [SpanEvent] = []
  var status: SpanStatus?

  init(
    _ name: String, _ kind: SpanKind, _ trace: TraceContext, _ parentID: [UInt8]?, _ start: UInt64
  ) {
    self.name = name
    self.kind = kind
    self.trace = trace
    self.parentID = parentID
    self.start = start
  }
}
