import InstantSearchAPI

extension InsightsClient {
  /// The settings of a client: when and how it sends events.
  public struct Configuration: Sendable, Hashable {
    /// The number of waiting events that triggers a call. Defaults to 10.
    public var batchSize: Int
    /// The longest time the first event waits for others. Defaults to 30 s.
    public var flushInterval: Duration
    /// The maximum number of waiting events. Defaults to 10,000. Further events are rejected.
    public var maximumWaitingEvents: Int
    /// The delay after a first failed call. Defaults to 1 s, and doubles with each further failure.
    ///
    /// A random part of up to a half is subtracted, so that many clients do not return at once. A
    /// longer delay that a response asks for is respected.
    public var initialBackOff: Duration
    /// The maximum delay after a failed call. Defaults to 5 min.
    public var maximumBackOff: Duration
    /// The timeout of a call. `nil` (the default) means the transport's.
    public var timeout: Duration?

    /// The maximum number of events in a call. The service allows 1,000.
    package var maximumBatchEvents = 1_000
    /// The maximum size of the body of a call, in bytes. The service allows less than 2 MB.
    package var maximumBodyBytes = 1_999_999

    /// Creates a configuration.
    public init(
      batchSize: Int = 10,
      flushInterval: Duration = .seconds(30),
      maximumWaitingEvents: Int = 10_000,
      initialBackOff: Duration = .seconds(1),
      maximumBackOff: Duration = .seconds(300),
      timeout: Duration? = nil
    ) {
      self.batchSize = batchSize
      self.flushInterval = flushInterval
      self.maximumWaitingEvents = maximumWaitingEvents
      self.initialBackOff = initialBackOff
      self.maximumBackOff = maximumBackOff
      self.timeout = timeout
    }

    /// The error of an invalid configuration, or `nil` if the configuration is valid.
    var validationError: SearchError? {
      for (name, number) in [
        ("batchSize", batchSize), ("maximumWaitingEvents", maximumWaitingEvents),
        ("maximumBatchEvents", maximumBatchEvents), ("maximumBodyBytes", maximumBodyBytes),
      ] where number < 1 {
        return SearchError(.invalidRequest, "The \(name) of an insights client must be at least 1.")
      }
      for (name, duration) in [
        ("flushInterval", flushInterval), ("initialBackOff", initialBackOff),
        ("maximumBackOff", maximumBackOff),
      ] where duration < .zero {
        return SearchError(
          .invalidRequest, "The \(name) of an insights client must not be negative.")
      }
      if let timeout, timeout <= .zero {
        return SearchError(.invalidRequest, "The timeout of an insights client must be positive.")
      }
      return nil
    }
  }
}
