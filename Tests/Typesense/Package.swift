// swift-tools-version: 6.2
// TypesenseTransport against real servers, which `Server.py` fetches and starts on this machine.
//
//     swift test --package-path Tests/Typesense
import PackageDescription

func product(_ name: String) -> Target.Dependency {
  .product(name: name, package: "async-instantsearch")
}

let package = Package(
  name: "typesense",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "async-instantsearch", path: "../..")],
  targets: [
    .testTarget(
      name: "TypesenseServerTests",
      dependencies: [
        product("TypesenseTransport"), product("LocalSearch"), product("InstantSearchClient"),
        product("AsyncInstantSearch"), product("InstantSearchService"),
        product("AsyncInstantSearchTesting"),
      ])
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
  ]
}
