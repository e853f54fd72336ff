import AsyncInstantSearch
import InstantSearchJSON

extension TransportResponse {
  /// An answer of the engine.
  init(status: Int = 200, json: [UInt8], snapshot: IndexReader? = nil) {
    self.init(
      status: status,
      headers: [HTTPHeader(name: "Content-Type", value: "application/json; charset=UTF-8")],
      body: json, snapshot: snapshot)
  }

  /// An answer that may be long.
  init(
    _ writer: borrowing JSONWriter, snapshot: IndexReader? = nil, _ checkpoint: Checkpoint
  ) throws {
    self.init(json: try writer.bytes { try checkpoint.check() }, snapshot: snapshot)
  }

  /// An answer with a short object as its body.
  init(status: Int = 200, object write: (inout JSONWriter) throws -> Void) rethrows {
    var writer = JSONWriter(capacity: 4096)
    writer.beginObject()
    try write(&writer)
    writer.endObject()
    self.init(status: status, json: writer.bytes)
  }

  /// The answer to a mistake of the caller.
  init(refusal: APIError) {
    self.init(status: refusal.status, json: refusal.body)
  }
}
