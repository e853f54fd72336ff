/// What calls must have in common to go together in one request.
struct BatchKind: Sendable, Hashable {
  /// Their headers and query items, but for those of traces.
  let fields: CallFields
  /// How long one host may take to answer them.
  let attemptTimeout: Duration?

  init(of request: TransportRequest) {
    fields = CallFields(of: request, leavingOut: CallFields.traceNames)
    attemptTimeout = request.attemptTimeout
  }
}
