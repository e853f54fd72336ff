// swift-tools-version: 6.2
// The package together with other packages: AsyncHTTPClient instead of its own exchange, and
// Hummingbird as the server. A separate package, so that the main one has no dependencies.
import PackageDescription

let package = Package(
  name: "integration",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "async-instantsearch", path: "../.."),
    .package(path: "../Loopback"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.26.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.0.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.24.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.2.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.0.0"),
  ],
  targets: [
    // The exchange shown in the documentation.
    .target(
      name: "AsyncHTTPClientExchange",
      dependencies: [
        .product(name: "AlgoliaTransport", package: "async-instantsearch"),
        .product(name: "AsyncInstantSearch", package: "async-instantsearch"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
      ]),
    // The search service over Hummingbird, and what a server watches, as the documentation has it.
    .target(
      name: "HummingbirdService",
      dependencies: [
        "CServerSupport",
        .product(name: "InstantSearchService", package: "async-instantsearch"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ]),
    .target(
      name: "Watching",
      dependencies: [
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "AsyncInstantSearch", package: "async-instantsearch"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ]),
    // The compression and the heap of the system. Linux: apt-get install zlib1g-dev.
    .systemLibrary(name: "CServerSupport", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .executableTarget(
      name: "SearchServer",
      dependencies: [
        "CServerSupport", "HummingbirdService", "Watching",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "AsyncInstantSearch", package: "async-instantsearch"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "InstantSearchService", package: "async-instantsearch"),
        .product(name: "LocalSearch", package: "async-instantsearch"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ]),
    // The least server, as the documentation has it.
    .executableTarget(
      name: "OwnServer",
      dependencies: [
        "HummingbirdService",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "InstantSearchService", package: "async-instantsearch"),
        .product(name: "LocalSearch", package: "async-instantsearch"),
      ]),
    // A web page over the films, and the program that serves it.
    .target(
      name: "FilmsSite",
      dependencies: [
        "HummingbirdService",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "AsyncInstantSearch", package: "async-instantsearch"),
        .product(name: "InstantSearchService", package: "async-instantsearch"),
        .product(name: "LocalSearch", package: "async-instantsearch"),
        .product(name: "Hummingbird", package: "hummingbird"),
      ],
      resources: [
        .embedInCode("Assets/page.css"), .embedInCode("Assets/page.js"),
        .embedInCode("Assets/icon.svg"),
      ]),
    .executableTarget(
      name: "FilmsPage",
      dependencies: [
        "FilmsSite", "HummingbirdService", "Watching",
        .product(name: "AlgoliaTransport", package: "async-instantsearch"),
        .product(name: "TypesenseTransport", package: "async-instantsearch"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "LocalSearch", package: "async-instantsearch"),
      ]),
    // Searches the engine in process, beside the figures of the server.
    .executableTarget(
      name: "QueryLoad",
      dependencies: [
        .product(name: "AsyncInstantSearch", package: "async-instantsearch"),
        .product(name: "LocalSearch", package: "async-instantsearch"),
      ]),
    // Opens many live pages at once, for its figures.
    .executableTarget(
      name: "TypingLoad",
      dependencies: [.product(name: "AsyncHTTPClient", package: "async-http-client")]),
    // Writes many records to a search server, for its figures.
    .executableTarget(
      name: "IndexingLoad",
      dependencies: [
        .product(name: "AlgoliaTransport", package: "async-instantsearch"),
        .product(name: "AsyncInstantSearch", package: "async-instantsearch"),
      ]),
    // Two servers: the embedded engine as a hosted one, and a service that searches it.
    .target(
      name: "SearchService",
      dependencies: [
        "HummingbirdService",
        .product(name: "InstantSearchService", package: "async-instantsearch"),
        .product(name: "AsyncInstantSearch", package: "async-instantsearch"),
        .product(name: "LocalSearch", package: "async-instantsearch"),
        .product(name: "Hummingbird", package: "hummingbird"),
      ]),
    .executableTarget(
      name: "ExchangeBenchmarks",
      dependencies: [
        "AsyncHTTPClientExchange",
        .product(name: "Loopback", package: "Loopback"),
        .product(name: "AlgoliaTransport", package: "async-instantsearch"),
        .product(name: "AsyncInstantSearch", package: "async-instantsearch"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
      ]),
    .testTarget(
      name: "IntegrationTests",
      dependencies: [
        "AsyncHTTPClientExchange", "FilmsSite", "SearchService", "Watching",
        .product(name: "Loopback", package: "Loopback"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
        .product(name: "AlgoliaTransport", package: "async-instantsearch"),
        .product(name: "AsyncInstantSearch", package: "async-instantsearch"),
        .product(name: "AsyncInstantSearchTesting", package: "async-instantsearch"),
        .product(name: "LocalSearch", package: "async-instantsearch"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
  ]
}
