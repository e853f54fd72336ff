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
    case "decode":
      try DecodeBenchmark.run(arguments.dropFirst().first ?? "", asJSON: writesJSON)
    default:
      print("usage: Benchmarks keystroke|decode [--json]")
      print("  keystroke   from a typed query to a typed page, through the embedded engine")
      print("  decode      from bytes to typed pages, against Foundation; decode NAME for some")
    }
  }
}
