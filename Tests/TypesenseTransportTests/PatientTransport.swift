import AsyncInstantSearchTesting
import InstantSearchHTTP
import TypesenseTransport

extension TypesenseTransport.Configuration {
  /// A configuration whose calls have time on a busy machine: their clock moves only if a test says
  /// so, and a test that moves it does so by hours before a call ends.
  static func patient(
    _ clock: ManualClock, propagation: Duration = .zero, exchange: @escaping HTTPExchange
  ) -> Self {
    var configuration = TypesenseTransport.Configuration(
      propagation: propagation, exchange: exchange, clock: clock)
    configuration.readTimeout = .seconds(10_000)
    configuration.writeTimeout = .seconds(10_000)
    configuration.callTimeout = .seconds(100_000)
    return configuration
  }
}

extension ManualClock {
  /// Advances the clock whenever something waits for it, until a closure ends.
  func advancing<Value: Sendable>(
    step: Duration = .milliseconds(200), _ body: () async throws -> Value
  ) async rethrows -> Value {
    let advancing = Task {
      while !Task.isCancelled {
        await waitForSleepers()
        advance(by: step)
        await Task.yield()
      }
    }
    defer { advancing.cancel() }
    return try await body()
  }
}
