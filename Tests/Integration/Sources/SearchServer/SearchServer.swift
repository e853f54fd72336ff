import ArgumentParser
import AsyncInstantSearch
import CServerSupport
import Foundation
import Hummingbird
import HummingbirdService
import InstantSearchService
import LocalSearch
import Logging
import Metrics
import ServiceLifecycle
import Tracing
import Watching

/// A search server over one embedded engine, for any client of the hosted service.
@main
struct SearchServer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "SearchServer",
    abstract: "Serves the search API over HTTP from an embedded engine.",
    discussion: """
      GET /health needs no key, and has status 503 until the records are loaded. GET /metrics \
      is for this machine, or for the metrics key. SIGTERM and SIGINT end the server.
      """,
    version: "SearchServer 1.0.0")

  @OptionGroup(title: "Records") var records: RecordOptions
  @OptionGroup(title: "Listening") var listening: ListeningOptions
  @OptionGroup(title: "Limits") var limits: LimitOptions
  @OptionGroup(title: "Watching") var watching: WatchingOptions

  func run() async throws {
    heap_return_large_buffers()
    let adminKey = try listening.readAdminKey()
    let settings = try await records.readSettings()
    var logger = Logger(label: "SearchServer")
    logger.logLevel = watching.logLevel.level
    // The server says itself what happens.
    var quietLogger = logger
    quietLogger.logLevel = .critical
    let metrics = PrometheusMetrics(help: MetricsPage.help)
    MetricsSystem.bootstrap(metrics)
    var services: [any Service] = []
    if let endpoint = watching.otlpEndpoint {
      let tracer = OTLPTracer(ratio: watching.traceRatio)
      InstrumentationSystem.bootstrap(tracer)
      services.append(
        OTLPExporter(of: tracer, endpoint: endpoint, service: "SearchServer", logger: logger))
    }

    let gate = EngineGate()
    let keys =
      if let file = records.file {
        try ServiceKeys(adminKey: adminKey, file: file + ".keys")
      } else {
        try ServiceKeys(adminKey: adminKey)
      }
    let service = SearchService(
      transport: TracingTransport(
        wrapping: ObservedTransport(wrapping: gate, observer: metricsObserver())),
      keys: keys, configuration: serviceConfiguration(logger, gate))
    let connectionLimits = limits.connections(proxies: listening.trustedProxies, logger)
    let application = Application(
      responder: ServerResponder(
        service: service,
        metrics: MetricsPage(metrics: metrics, gate: gate, key: watching.readMetricsKey())),
      server: .service(limits: connectionLimits) { request, status, message in
        service.refuse(request, status: status, message: message)
      },
      configuration: .init(
        address: .hostname(listening.host, port: Int(listening.port)), serverName: "SearchServer",
        backlog: 4096),
      services: services,
      onServerRunning: { channel in
        say("listening on http://\(listening.host):\(channel.localAddress?.port ?? 0)")
        gate.isBound.open()
      },
      logger: quietLogger)
    try await run(application, gate, keys, settings, logger)
    say("stopped")
  }

  /// Binds the port, then opens the engine and loads the records, and serves until it is stopped.
  private func run(
    _ application: some ApplicationProtocol, _ gate: EngineGate, _ keys: ServiceKeys,
    _ settings: LoadedSettings, _ logger: Logger
  ) async throws {
    defer { gate.isBound.open() }
    try await withThrowingTaskGroup { group in
      group.addTask {
        do {
          try await application.runUntilStopped()
        } catch {
          throw ServerFailure(listeningOn: listening.host, listening.port, error)
        }
        return true
      }
      group.addTask {
        await gate.isBound.wait()
        try Task.checkCancellation()
        let engine = try await records.openEngine(logger, limits, listening)
        try await records.load(into: engine, settings)
        gate.open(engine)
        say("ready")
        await records.backUp(engine, keys, logger)
        return false
      }
      // The end of the application ends the loading, and a failure of the loading the application.
      while let isEnd = try await group.next(), !isEnd {}
      group.cancelAll()
    }
    await gate.engine?.close()
  }

  private func serviceConfiguration(
    _ logger: Logger, _ gate: EngineGate
  ) -> SearchService.Configuration {
    var configuration = SearchService.Configuration { Int(Date().timeIntervalSince1970) }
    configuration.applicationID = listening.applicationID
    configuration.allowedOrigin = listening.allowedOrigin
    configuration.trustedProxies = listening.trustedProxies
    configuration.tools = listening.toolConfiguration
    configuration.maximumBodySize = limits.maxBodySize
    configuration.timeout = .seconds(limits.callTimeout)
    configuration.maximumQueriesPerAddress =
      limits.maxQueriesPerAddress > 0 ? limits.maxQueriesPerAddress : nil
    configuration.compress = Gzip.compress
    configuration.decompress = Gzip.decompress
    configuration.isReady = { gate.engine != nil }
    let observers = [accessLog(logger), RequestMetrics().note]
    configuration.onResponse = { entry in for observer in observers { observer(entry) } }
    return configuration
  }
}

/// Prints a line that says what the server does, at once.
func say(_ text: String) {
  print(text)
  fflush(nil)
}
