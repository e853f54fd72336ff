// swift-tools-version: 6.2
// The program that measures the figures of the documentation. A separate package, so that the tests
// of the main one do not build it.
import PackageDescription

let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "Benchmarks", targets: ["Benchmarks"])],
  dependencies: [
    .package(name: "async-instantsearch", path: "../.."),
    .package(path: "../Loopback"),
  ],
  targets: [
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        .product(name: "AsyncInstantSearch", package: "async-instantsearch"),
        .product(name: "AsyncInstantSearchInsights", package: "async-instantsearch"),
        .product(name: "AlgoliaTransport", package: "async-instantsearch"),
        .product(name: "LocalSearch", package: "async-instantsearch"),
        .product(name: "InstantSearchService", package: "async-instantsearch"),
        .product(name: "AsyncInstantSearchTesting", package: "async-instantsearch"),
        .product(name: "Loopback", package: "Loopback"),
      ])
  ],
  swiftLanguageModes: [.v6]
)

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
