public import AsyncInstantSearch
public import Logging
import Metrics

// snippet.log
/// An observer that writes a line of the log for each call.
public func loggingObserver(_ logger: Logger) -> ObservedTransport.Observer {
  ObservedTransport.Observer(ended: { call, completion in
    var metadata: Logger.Metadata = [
      "request": "\(call.request)", "duration": "\(completion.duration)",
      "bytes": "\(completion.bodyBytes)",
    ]
    if let index = call.indexName { metadata["index"] = "\(index)" }
    if let status = completion.status { metadata["status"] = "\(status)" }
    if let id = completion.correlationID { metadata["correlation_id"] = "\(id)" }
    guard let code = completion.errorCode else {
      logger.info("search call", metadata: metadata)
      return
    }
    metadata["error"] = "\(code)"
    // A cancelled call is no failure of the service.
    logger.log(level: code == .cancelled ? .debug : .error, "search call", metadata: metadata)
  })
}
// snippet.end

// snippet.metrics
/// An observer that counts calls and their time, by kind and outcome.
public func metricsObserver(prefix: String = "search") -> ObservedTransport.Observer {
  ObservedTransport.Observer(ended: { call, completion in
    let outcome = completion.errorCode.map { "\($0)" } ?? "\(completion.status ?? 0)"
    let dimensions = [("call", call.callType.rawValue), ("outcome", outcome)]
    Counter(label: "\(prefix)_calls", dimensions: dimensions).increment()
    Metrics.Timer(label: "\(prefix)_duration", dimensions: dimensions)
      .record(duration: completion.duration)
    Recorder(label: "\(prefix)_response_bytes", dimensions: dimensions)
      .record(completion.bodyBytes)
  })
}
// snippet.end
