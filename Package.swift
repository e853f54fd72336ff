// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "async-instantsearch",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "AsyncInstantSearch", targets: ["AsyncInstantSearch"]),
    .library(name: "InstantSearchClient", targets: ["InstantSearchClient"]),
    .library(name: "InstantSearchViews", targets: ["InstantSearchViews"]),
    .library(name: "AlgoliaTransport", targets: ["AlgoliaTransport"]),
    .library(name: "TypesenseTransport", targets: ["TypesenseTransport"]),
    .library(name: "AlgoliaInstantSearch", targets: ["AlgoliaInstantSearch"]),
    .library(name: "AsyncInstantSearchInsights", targets: ["AsyncInstantSearchInsights"]),
    .library(name: "LocalSearch", targets: ["LocalSearch"]),
    .library(name: "InstantSearchService", targets: ["InstantSearchService"]),
    .library(name: "AsyncInstantSearchTesting", targets: ["AsyncInstantSearchTesting"]),
  ],
  targets: [
    // Arrows point down this list only: the SDK never imports the engine or the network.
    .target(name: "InstantSearchJSON"),
    // The search API as types, re-exported by every product.
    .target(name: "InstantSearchAPI", dependencies: ["InstantSearchJSON"]),
    // What a server, a script or a mirror needs, and no screen.
    .target(name: "InstantSearchClient", dependencies: ["InstantSearchAPI", "InstantSearchJSON"]),
    .target(
      name: "AsyncInstantSearch",
      dependencies: ["InstantSearchClient", "InstantSearchAPI", "InstantSearchJSON"]),
    // Views for SwiftUI and UIKit; empty elsewhere.
    .target(name: "InstantSearchViews", dependencies: ["AsyncInstantSearch", "InstantSearchAPI"]),
    // libcurl as FoundationNetworking on Linux brings it along; empty elsewhere. Warnings are
    // errors here, and not in the C settings of Swift targets: SwiftPM takes `-Werror` out of a
    // dependency by URL and would leave the `-Xcc` before it, which no compiler accepts.
    .target(name: "CInstantSearchCurl", cSettings: [.treatAllWarnings(as: .error)]),
    // One HTTP exchange, and hosts with their health and retries. It knows no service.
    .target(
      name: "InstantSearchHTTP",
      dependencies: ["InstantSearchAPI", "InstantSearchJSON", "CInstantSearchCurl"]),
    .target(
      name: "AlgoliaTransport",
      dependencies: ["InstantSearchClient", "InstantSearchAPI", "InstantSearchHTTP"]),
    // The SDK with the hosted service, and searchers that are made of an application's ID and key.
    .target(
      name: "AlgoliaInstantSearch", dependencies: ["AsyncInstantSearch", "AlgoliaTransport"]),
    .target(
      name: "AsyncInstantSearchInsights", dependencies: ["InstantSearchAPI", "InstantSearchJSON"]),
    // The one function of the C library that Swift's modules for Linux leave out.
    .target(name: "CLocalSearch", cSettings: [.treatAllWarnings(as: .error)]),
    .target(
      name: "LocalSearch", dependencies: ["InstantSearchAPI", "InstantSearchJSON", "CLocalSearch"]),
    // Calls on a cluster of servers. The engine reads and checks calls and records, and writes
    // responses, so that both give the same.
    .target(
      name: "TypesenseTransport",
      dependencies: ["InstantSearchHTTP", "LocalSearch", "InstantSearchAPI", "InstantSearchJSON"]),
    .target(
      name: "InstantSearchService",
      dependencies: ["InstantSearchClient", "InstantSearchAPI", "InstantSearchJSON"]),
    .target(
      name: "AsyncInstantSearchTesting", dependencies: ["InstantSearchAPI", "InstantSearchJSON"]),

    // What must hold of the reader for any input, for its tests and for the fuzzer.
    .target(
      name: "JSONProperties",
      dependencies: ["InstantSearchJSON", "InstantSearchAPI", "AsyncInstantSearchTesting"],
      path: "Tests/JSONProperties"),
    // How much the tests do, and random values that several of them need.
    .target(
      name: "TestSupport", dependencies: ["InstantSearchAPI", "AsyncInstantSearchTesting"],
      path: "Tests/TestSupport"),
    .testTarget(
      name: "InstantSearchJSONTests",
      dependencies: [
        "InstantSearchJSON", "InstantSearchAPI", "JSONProperties", "TestSupport",
        "AsyncInstantSearchTesting",
      ]),
    .testTarget(
      name: "InstantSearchAPITests",
      dependencies: [
        "InstantSearchAPI", "InstantSearchJSON", "TestSupport", "AsyncInstantSearchTesting",
      ]),
    .testTarget(
      name: "InstantSearchClientTests",
      dependencies: [
        "InstantSearchClient", "InstantSearchJSON", "LocalSearch", "TestSupport",
        "AsyncInstantSearchTesting",
      ]),
    .testTarget(
      name: "AsyncInstantSearchTests",
      dependencies: [
        "AsyncInstantSearch", "InstantSearchClient", "InstantSearchJSON", "LocalSearch",
        "TestSupport", "AsyncInstantSearchTesting",
      ]),
    .testTarget(
      name: "LocalSearchTests",
      dependencies: [
        "LocalSearch", "InstantSearchClient", "InstantSearchAPI", "InstantSearchJSON",
        "TestSupport", "AsyncInstantSearchTesting",
      ]),
    .testTarget(
      name: "InstantSearchHTTPTests",
      dependencies: ["InstantSearchHTTP", "TestSupport", "AsyncInstantSearchTesting"]),
    .testTarget(
      name: "AlgoliaTransportTests",
      dependencies: [
        "AlgoliaTransport", "InstantSearchHTTP", "AsyncInstantSearch", "LocalSearch", "TestSupport",
        "AsyncInstantSearchTesting",
      ]),
    .testTarget(
      name: "TypesenseTransportTests",
      dependencies: [
        "TypesenseTransport", "InstantSearchHTTP", "InstantSearchClient", "InstantSearchJSON",
        "LocalSearch", "TestSupport", "AsyncInstantSearchTesting",
      ],
      exclude: ["Recordings"]),
    .testTarget(
      name: "AlgoliaInstantSearchTests",
      dependencies: ["AlgoliaInstantSearch", "TestSupport"]),
    .testTarget(
      name: "AsyncInstantSearchInsightsTests",
      dependencies: [
        "AsyncInstantSearchInsights", "AsyncInstantSearch", "InstantSearchJSON", "TestSupport",
        "AsyncInstantSearchTesting",
      ],
      path: "Tests/InsightsTests"),
    .testTarget(
      name: "InstantSearchServiceTests",
      dependencies: [
        "InstantSearchService", "InstantSearchClient", "AsyncInstantSearch", "LocalSearch",
        "InstantSearchJSON", "TestSupport", "AsyncInstantSearchTesting",
      ]),
    .testTarget(
      name: "AsyncInstantSearchTestingTests",
      dependencies: [
        "AsyncInstantSearchTesting", "AsyncInstantSearch", "LocalSearch", "TestSupport",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// The fuzzer has the main function of libFuzzer, which a plain build does not link; see .ci/fuzz.
if Context.environment["ASYNC_INSTANTSEARCH_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "JSONFuzzer", dependencies: ["JSONProperties"], path: "Tests/Fuzzing",
      exclude: ["Corpus.txt", "Dictionary.txt"]))
}

// A sanitizer builds only the tests that it runs, and a release build none, nor what they need; see
// .ci/run.
if let names = Context.environment["ASYNC_INSTANTSEARCH_TESTS"] {
  let names = names.split(separator: " ")
  package.targets.removeAll { target in
    target.type == .test
      ? !names.contains { $0 == target.name }
      : names.isEmpty && target.path?.hasPrefix("Tests/") == true
  }
}

for target in package.targets {
  target.swiftSettings = [
    // https://github.com/swiftlang/swift-evolution, proposals 0335, 0409, 0444, 0461, 0470, 0481
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
  ]
}

// The documentation plugin is wanted for building documentation only, never for building the
// package.
if Context.environment["ASYNC_INSTANTSEARCH_DOCS"] != nil {
  package.dependencies.append(
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0"))
}
