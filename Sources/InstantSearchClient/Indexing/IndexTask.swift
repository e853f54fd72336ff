import InstantSearchJSON

/// A write that the service has accepted.
///
/// The hosted service applies writes later, in the order of their acceptance. Wait for a write if
/// the next search must see it:
///
///     try await client.setSettings(settings, of: "films").wait()
///
/// An embedded engine has applied a write when its call returns, so there ``wait(timeout:)`` costs
/// one call in process.
public struct IndexTask: Sendable {
  /// The index of the call. Empty for a write to the dictionaries, which all indices share.
  public let indexName: String
  /// The number of the task. It grows with each write of an index.
  public let taskID: Int64
  let client: SearchClient
  let options: RequestOptions

  init(
    indexName: String, taskID: Int64, client: SearchClient,
    options: RequestOptions = RequestOptions()
  ) {
    self.indexName = indexName
    self.taskID = taskID
    self.client = client
    self.options = options
  }

  /// The longest time between two calls that ask for the task.
  private static let longestPause = Duration.seconds(5)

  /// Waits until the write is applied, which later searches see.
  ///
  /// It asks the service at once and then after 200 ms, 400 ms and so on, at most every 5 seconds.
  ///
  /// - Parameter timeout: The time that it waits at most. Defaults to 10 minutes.
  /// - Throws: `timedOut` after that time: the write may still be applied later. `cancelled` if the
  ///   task is cancelled, which does not end the write. Otherwise the error of a call.
  @concurrent
  public func wait(timeout: Duration = .seconds(600)) async throws(SearchError) {
    let deadline = Deadline(after: timeout, clock: client.clock)
    var pause = Duration.zero
    while true {
      if try await isPublished() { return }
      pause = min(pause + .milliseconds(200), Self.longestPause)
      let remaining = deadline.remaining
      guard remaining > .zero else {
        throw SearchError(
          .timedOut,
          "Task \(taskID) was not published in \(timeout). It may still be applied later.",
          indexName: indexName, request: endpoint.path)
      }
      // The last pause ends with the time, so that a task is asked for once more.
      let end = Deadline(after: min(pause, remaining), clock: client.clock)
      guard await end.waitUntilPassed() else {
        throw SearchError(.cancelled, "The wait was cancelled.", indexName: indexName)
      }
    }
  }

  private var endpoint: Endpoint {
    indexName.isEmpty
      ? .appTask(taskID: "\(taskID)") : .task(index: indexName, taskID: "\(taskID)")
  }

  /// Returns whether the write is applied.
  @concurrent
  public func isPublished() async throws(SearchError) -> Bool {
    let call = EndpointCall(endpoint)
    let root = try await client.response(to: call, options: options).document.root
    guard let status = root["status"]?.string else {
      throw CallContext(call).error(.decoding, "The response has no status of the task.")
    }
    return status == "published"
  }
}

extension IndexTask: Hashable, CustomStringConvertible {
  /// Tasks with the same index and number are equal.
  public static func == (left: Self, right: Self) -> Bool {
    left.indexName == right.indexName && left.taskID == right.taskID
  }

  /// Hashes the index and the number.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(indexName)
    hasher.combine(taskID)
  }

  /// The number and the index.
  public var description: String {
    "task \(taskID) of \(indexName.isEmpty ? "the dictionaries" : indexName)"
  }
}
