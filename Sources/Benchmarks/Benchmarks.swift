/// Measures what the documentation states: `swift run -c release Benchmarks <name> [--json]`.
@main
struct Benchmarks {
  static func main() async throws {
    var arguments = CommandLine.arguments.dropFirst()
    let writesJSON = arguments.contains("--json")
    arguments.removeAll { $0.hasPrefix("--") }
    switch arguments.first {
    case "keystroke":
      try await Keystroke.run().print(asJSON: writesJSON)
    default:
      print("usage: Benchmarks keystroke [--json]")
      print("  keystroke   from a typed query to a typed page, through the embedded engine")
    }
  }
}
