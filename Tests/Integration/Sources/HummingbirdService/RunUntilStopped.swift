public import Hummingbird
import Logging
import ServiceLifecycle
import UnixSignals

extension ApplicationProtocol {
  /// Runs until SIGTERM or SIGINT. Then calls that are under way are finished, but no longer than
  /// for a time: a client that stalls does not hold the process.
  ///
  /// - Parameter grace: The time for calls that are under way. Defaults to one second.
  public func runUntilStopped(grace: Duration = .seconds(1)) async throws {
    var configuration = ServiceGroupConfiguration(
      services: [self], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    configuration.maximumGracefulShutdownDuration = grace
    do {
      try await ServiceGroup(configuration: configuration).run()
    } catch is CancellationError {
      // The time was over.
    }
  }
}
