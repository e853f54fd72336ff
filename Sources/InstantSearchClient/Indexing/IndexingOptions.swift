/// Options of a call that writes many records.
public struct IndexingOptions: Sendable {
  /// The number of records of one request, 1 to 100,000. Defaults to 1,000.
  public var batchSize: Int
  /// The size of one request, in bytes. Defaults to 10 MB, the size that the hosted service
  /// recommends. A larger record is sent alone.
  public var batchBytes: Int
  /// The number of requests that are in flight at once, 1 to 64. Defaults to 4.
  ///
  /// Records with the same ID are written in their order, whatever the number: a request waits for
  /// an earlier request with one of its IDs.
  public var concurrentBatches: Int
  /// The size above which a record is not sent and fails, in bytes of JSON. Defaults to `nil`,
  /// which leaves it to the service.
  public var maximumRecordBytes: Int?
  /// Returns the ID of a record without one. Defaults to 24 random hexadecimal digits.
  ///
  /// The client gives each record an ID, because a request may be sent again after a lost response,
  /// which must not write a record twice.
  public var makeObjectID: @Sendable () -> String
  /// The options of each request.
  public var request: RequestOptions

  /// Creates options. All arguments have defaults.
  public init(
    batchSize: Int = 1_000, batchBytes: Int = 10_000_000, concurrentBatches: Int = 4,
    maximumRecordBytes: Int? = nil,
    makeObjectID: @escaping @Sendable () -> String = { IndexingOptions.randomObjectID() },
    request: RequestOptions = RequestOptions()
  ) {
    self.batchSize = batchSize
    self.batchBytes = batchBytes
    self.concurrentBatches = concurrentBatches
    self.maximumRecordBytes = maximumRecordBytes
    self.makeObjectID = makeObjectID
    self.request = request
  }

  /// Returns 24 random hexadecimal digits.
  public static func randomObjectID() -> String {
    Hexadecimal.random(byteCount: 12)
  }

  /// The options within their limits.
  var checked: IndexingOptions {
    var options = self
    options.batchSize = min(max(batchSize, 1), 100_000)
    options.batchBytes = max(batchBytes, 1)
    options.concurrentBatches = min(max(concurrentBatches, 1), 64)
    return options
  }
}
