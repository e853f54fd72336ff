import Hummingbird
import Logging

/// The common part of both servers.
enum Server {
  /// Serves on a free port of the loopback address until its task is cancelled.
  static func run(
    _ router: Router<BasicRequestContext>, onPort: @escaping @Sendable (Int) -> Void
  ) async throws {
    var logger = Logger(label: "search")
    logger.logLevel = .critical
    let application = Application(
      router: router,
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { channel in onPort(channel.localAddress?.port ?? 0) },
      logger: logger)
    try await application.run()
  }
}
