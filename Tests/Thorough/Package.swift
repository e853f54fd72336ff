// swift-tools-version: 6.2
// The tests that take long or depend on the machine: all seeds of randomized tests, oracles,
// simulations, recorded sessions, long inputs, threads, processes and real connections.
//
//     swift test --package-path Tests/Thorough
import PackageDescription

func product(_ name: String) -> Target.Dependency {
  .product(name: name, package: "async-instantsearch")
}

let package = Package(
  name: "thorough",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "async-instantsearch", path: "../.."),
    .package(path: "../Loopback"),
  ],
  targets: [
    // A symbolic link: what the tests of the main package use as well. So are folders `Support`.
    .target(name: "TestSupport", dependencies: [product("AsyncInstantSearchTesting")]),
    .target(name: "Measuring"),
    .testTarget(
      name: "InstantSearchJSONThorough",
      dependencies: ["Measuring", "TestSupport", product("AsyncInstantSearchTesting")]),
    .testTarget(
      name: "InstantSearchClientThorough",
      dependencies: [
        "Measuring", "TestSupport", product("InstantSearchClient"), product("LocalSearch"),
        product("AsyncInstantSearchTesting"),
      ]),
    .testTarget(
      name: "AsyncInstantSearchThorough",
      dependencies: [
        "Measuring", "TestSupport", product("AsyncInstantSearch"), product("LocalSearch"),
        product("AsyncInstantSearchTesting"),
      ],
      exclude: ["Vectors/Cases"]),
    .testTarget(
      name: "LocalSearchThorough",
      dependencies: [
        "TestSupport", product("LocalSearch"), product("InstantSearchClient"),
        product("AsyncInstantSearchTesting"),
      ],
      exclude: ["Storage/Samples", "Relevance/Data"]),
    // What starts threads and tasks in the engine, for the thread sanitizer.
    .testTarget(
      name: "LocalSearchThreads",
      dependencies: [
        "TestSupport", product("LocalSearch"), product("AsyncInstantSearchTesting"),
      ]),
    .testTarget(
      name: "AlgoliaTransportThorough",
      dependencies: [
        "TestSupport", .product(name: "Loopback", package: "Loopback"),
        product("AlgoliaTransport"), product("AsyncInstantSearchInsights"),
        product("AsyncInstantSearch"), product("LocalSearch"), product("AsyncInstantSearchTesting"),
      ]),
    .testTarget(
      name: "AsyncInstantSearchInsightsThorough",
      dependencies: [
        "TestSupport", product("AsyncInstantSearchInsights"), product("AsyncInstantSearch"),
        product("AsyncInstantSearchTesting"),
      ]),
    .testTarget(
      name: "InstantSearchServiceThorough",
      dependencies: [
        "TestSupport", product("InstantSearchService"), product("LocalSearch"),
        product("AsyncInstantSearchTesting"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// A sanitizer builds only the tests that it runs; see .ci/run.
if let names = Context.environment["ASYNC_INSTANTSEARCH_TESTS"] {
  let names = names.split(separator: " ")
  package.targets.removeAll { target in
    target.type == .test && !names.contains { $0 == target.name }
  }
}

for target in package.targets {
  target.swiftSettings = [
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
