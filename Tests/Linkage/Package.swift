// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Linkage",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "async-instantsearch", path: "../..")],
  targets: [
    .executableTarget(
      name: "Linkage",
      dependencies: [
        .product(name: "AsyncInstantSearch", package: "async-instantsearch"),
        .product(name: "LocalSearch", package: "async-instantsearch"),
      ])
  ]
)
