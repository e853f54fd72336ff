import Hummingbird
import Logging

/// The common part of both servers.
enum Server {
  /// Serves on a free port of the loopback address until its task is cancelled.
  static func run<Responder: HTTPResponder>(
    _ responder: Responder, onPort: @escaping @Sendable (Int) -> Void
  ) async throws
  where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
    var logger = Logger(label: "search")
    logger.logLevel = .critical
    let application = Application(
      responder: responder,
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { channel in onPort(channel.localAddress?.port ?? 0) },
      logger: logger)
    try await application.run()
  }
}
