// swift-tools-version: 6.2
// A search on a terminal, as an example of a whole program.
//
//     swift run --package-path Tests/SearchAsYouType
import PackageDescription

func product(_ name: String) -> Target.Dependency {
  .product(name: name, package: "async-instantsearch")
}

let package = Package(
  name: "search-as-you-type",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "async-instantsearch", path: "../..")],
  targets: [
    .executableTarget(
      name: "SearchAsYouType",
      dependencies: [product("AsyncInstantSearch"), product("LocalSearch")]
    ),
    // A symbolic link: what the tests of the main package use as well.
    .target(name: "TestSupport", dependencies: [product("AsyncInstantSearchTesting")]),
    .testTarget(
      name: "SearchAsYouTypeTests",
      dependencies: [
        "SearchAsYouType", "TestSupport", product("AsyncInstantSearch"),
        product("AsyncInstantSearchTesting"),
      ]),
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
