// swift-tools-version: 6.2
// A server on the loopback address that fails in every way, for tests and benchmarks. A separate
// package, so that packages beside the main one can use it.
import PackageDescription

let package = Package(
  name: "loopback",
  platforms: [.macOS(.v15)],
  products: [.library(name: "Loopback", targets: ["Loopback"])],
  targets: [.target(name: "Loopback")],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
  ]
}
