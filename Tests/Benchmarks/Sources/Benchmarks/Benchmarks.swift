import Foundation

/// Measures the figures of the documentation:
/// `swift run -c release --package-path Tests/Benchmarks Benchmarks <name> [--json]`.
@main
struct Benchmarks {
  static func main() async {
    var arguments = CommandLine.arguments.dropFirst()
    let writesJSON = arguments.contains("--json")
    arguments.removeAll { $0.hasPrefix("--") }
    do {
      try await run(Array(arguments), asJSON: writesJSON)
    } catch {
      FileHandle.standardError.write(Data("Benchmarks: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ arguments: [String], asJSON: Bool) async throws {
    switch arguments.first {
    case "keystroke":
      try KeystrokeJobs.report(asJSON: asJSON)
      try await Keystroke.products().print(asJSON: asJSON)
      try await Keystroke.films().print(asJSON: asJSON)
    case "decode":
      let names = arguments.dropFirst().first ?? ""
      let cases = (BenchmarkCase.decoding + BenchmarkCase.encoding + BenchmarkCase.parallel)
        .filter { $0.name.hasPrefix(names) }
      guard !cases.isEmpty else { throw Mismatch(description: "no case is called \(names)…") }
      for it in cases { try await it.report(asJSON: asJSON) }
    case "widgets":
      for it in WidgetViews.cases { try await it.report(asJSON: asJSON) }
      try WidgetViews.reportClick(asJSON: asJSON)
    case "ratios":
      try WorkloadRatio.report(Workload.all, names: Set(arguments.dropFirst()), asJSON: asJSON)
    case "cancellation":
      try CancellationStorm.report(
        processCount: arguments.dropFirst().first.flatMap { Int($0) } ?? 20, asJSON: asJSON)
    case "exits":
      try ExitStorm.report(
        processCount: arguments.dropFirst().first.flatMap { Int($0) } ?? 300, asJSON: asJSON)
    case "lookups": try await LookupStorm.report(asJSON: asJSON)
    case "soak":
      let seconds = arguments.dropFirst().first.flatMap { Int($0) } ?? 60
      for contender in NetworkContender.available
      where arguments.count < 3 || arguments[2] == contender.rawValue {
        try await Soak.report(contender, seconds: seconds, asJSON: asJSON)
      }
    case "engine":
      try await EngineCatalogue.report(Array(arguments.dropFirst()), asJSON: asJSON)
    case "language":
      try await LanguageCost.report(Array(arguments.dropFirst()), asJSON: asJSON)
    case "kills":
      let numbers = arguments.dropFirst().compactMap { UInt64($0) }
      try await KilledEngines.report(
        count: numbers.first.flatMap { Int(exactly: $0) } ?? 200,
        seed: numbers.dropFirst().first ?? 1, asJSON: asJSON)
    case "engine-child" where arguments.count == 3:
      try await KilledEngine.run(path: arguments[1], first: Int(arguments[2]) ?? 0)
    case "bounds" where arguments.last == "long": try await LongCalls.report(asJSON: asJSON)
    case "hostile":
      try await HostileInput.report(Array(arguments.dropFirst()), asJSON: asJSON)
    case "bounds": try await EngineBounds.report(asJSON: asJSON)
    case "dear": try await DearQueries.report(asJSON: asJSON)
    case "responsiveness": try await Responsiveness.report(asJSON: asJSON)
    case "throughput": try await Throughput.report(asJSON: asJSON)
    case "insights":
      let numbers = arguments.dropFirst().compactMap { UInt64($0) }
      try KilledClients.report(
        count: numbers.first.flatMap { Int(exactly: $0) } ?? 200,
        seed: numbers.dropFirst().first ?? 1,
        asJSON: asJSON)
    case "insights-child" where arguments.count == 4:
      try await KilledClient.run(
        journal: arguments[1], first: Int(arguments[2]), seed: UInt64(arguments[3]) ?? 0)
    case "child": try await runChild(Array(arguments.dropFirst()))
    default:
      print(
        """
        usage: Benchmarks keystroke|engine|language|bounds|hostile|dear|responsiveness|decode
                          |cancellation|exits|lookups|soak|throughput|widgets|ratios|insights|kills [--json]
          keystroke   from a typed query to a typed page, through the embedded engine; first the
                      number of executor jobs of a keystroke in a searcher with a list
          engine FOLDER RECORDS [KIND]...   the embedded engine on a catalogue: loading, memory, a log
                      of queries with 20 highlighted hits and three facets, and each kind of query
          language FOLDER RECORDS [loading]   what synonyms, forms and stop words add to queries, and
                      words inside words and compounds to loading
          bounds      the most expensive calls of the embedded engine, and the time between two of
                      its checks for cancellation; bounds long for calls with a million values only
          hostile FOLDER RECORDS [NAME]...   the embedded engine on input made to cost much:
                      processor time, from a cancellation to the return, memory
          dear        queries that repeat words, against their different words, and searches of another
                      engine beside ten dear queries
          responsiveness   searches on the threads of the embedded engine against the pool of Swift
                      concurrency, and the delay of a timer during loads on each
          decode      from bytes to typed pages and from queries to bytes, against Foundation, and
                      pages decoded in parallel against sequentially;
                      decode NAME for cases with this prefix
          widgets     the views of 20 widgets after a response, and what connected ones add to a
                      search, against decoding its page; the jobs and the time of a click
          ratios [NAME]...    the processor time of small workloads as multiples of a yardstick's;
                      .ci/ratios compares them with those written down
          cancellation [PROCESSES]    a hundred calls cancelled at once, in a number of processes (20)
                      for each exchange and kind of server: none may hang or crash
          exits [PROCESSES]   processes that exit during TLS handshakes, a number (300) for each
                      exchange, with 3 and with 100 cancelled calls: no signal may end one;
                      requires nginx and openssl
          lookups     threads and descriptors after 1,280 calls that were cancelled during name
                      lookups; run it with a name server that does not respond
          soak [SECONDS] [EXCHANGE]   calls at full speed against servers with random faults (60 s)
          throughput  10,000 concurrent calls on the embedded engine, up to 1,000 over loopback HTTP
          insights    delivery of events when 200 clients are killed in sequence;
                      insights COUNT SEED for another number and another seed
          kills [COUNT [SEED]]   processes (200) that are killed while they write to an engine in a
                      file: no acknowledged write may be lost, and none applied in part
        """)
    }
  }

  /// Runs as a child process of this program.
  private static func runChild(_ arguments: [String]) async throws {
    if arguments.count == 4, arguments[0] == "cancel",
      let contender = NetworkContender(rawValue: arguments[1]),
      let server = CancellationStorm.Server(rawValue: arguments[2]), let delay = Int(arguments[3])
    {
      try await CancellationStorm.once(contender, server, delay: delay)
    }
    if arguments.count == 5, arguments[0] == "exit",
      let contender = NetworkContender(rawValue: arguments[1]), let port = Int(arguments[2]),
      let callCount = Int(arguments[3]), let end = Int(arguments[4])
    {
      return try await ExitStorm.once(contender, port: port, callCount: callCount, end: end)
    }
    if arguments.count == 3, arguments[0] == "serve", let count = Int(arguments[2]) {
      try ServerChild.serve(arguments[1], count: count)
    }
    if arguments.count == 2, arguments[0] == "ratio",
      let workload = Workload.all.first(where: { $0.name == arguments[1] })
    {
      return try WorkloadRatio.runChild(workload)
    }
    guard arguments.count > 1, let contender = Contender(rawValue: arguments[1]) else { return }
    let file = arguments.count > 2 ? arguments[2] : ""
    switch arguments[0] {
    case "decode-once": try ColdStart.decodeOnce(contender, file: file)
    case "encode-once": try ColdStart.encodeOnce(contender)
    case "count-allocations": try Allocations.count(contender, file: file)
    default: break
    }
  }
}
