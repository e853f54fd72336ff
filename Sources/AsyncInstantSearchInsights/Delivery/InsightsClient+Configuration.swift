import AsyncInstantSearch

extension InsightsClient {
  /// When and how events are sent.
  public struct Configuration: Sendable, Hashable {
    /// How many events are waited for before they are sent; 10.
    public var batchSize: Int
    /// How long the first event that waits is waited with; 30 s.
    public var flushInterval: Duration
    /// How many events may wait; 10,000. When there are as many, another one is refused.
    public var maximumWaitingEvents: Int
    /// How long to wait after a first failed call; 1 s, and twice as long after each further one.
    ///
    /// A random part of up to a half is taken off, so that many clients do not come back at once. A
    /// longer time that an answer asks for is respected.
    public var initialBackOff: Duration
    /// The longest time between calls that fail; 5 minutes.
    public var maximumBackOff: Duration
    /// How long a call may take; `nil`, the default, leaves it to the transport.
    public var timeout: Duration?

    /// How many events one call may have; the service takes 1,000.
    package var maximumBatchEvents = 1_000
    /// How long the body of a call may be; the service takes less than 2 MB.
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

    /// What is wrong with the configuration; `nil` when nothing is.
    var fault: SearchError? {
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
