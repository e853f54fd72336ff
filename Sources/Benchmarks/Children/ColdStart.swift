import AsyncInstantSearch
import Foundation
import InstantSearchJSON

/// The first call of a process, which pays for everything that later calls find ready: what the
/// first keystroke of an app sees.
enum ColdStart {
  /// How many processes each way has.
  private static let processCount = 31

  /// Measures the first decoding of a page.
  static func decoding(_ page: [UInt8]) throws -> BenchmarkCase.Outcome {
    try ChildProcess.withFile(page) { file in
      .times(
        try paired {
          try ChildProcess.ofThisProgram(["child", "decode-once", $0.rawValue, file.path])
        },
        bytes: page.count)
    }
  }

  /// Measures the first encoding of a query.
  static func encoding() throws -> BenchmarkCase.Outcome {
    .times(
      try paired { try ChildProcess.ofThisProgram(["child", "encode-once", $0.rawValue]) },
      bytes: SampleQuery.request.body.count)
  }

  /// The child's part: decodes the page of a file and prints how many microseconds it took.
  static func decodeOnce(_ contender: Contender, file: String) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: file))
    let bytes = [UInt8](data)
    switch contender {
    case .ours: try printTime { touch(try Pages.hits(bytes)) }
    case .foundation:
      try printTime {
        try JSONDecoder().decode(PlainPage<PlainHit<Product>>.self, from: data)
      }
    }
  }

  /// The child's part: encodes a query and prints how many microseconds it took.
  static func encodeOnce(_ contender: Contender) throws {
    switch contender {
    case .ours:
      // An app has made, compared and dropped queries before it sends one.
      let request = SampleQuery.request
      use(request == SampleQuery.requests[1])
      try printTime { request.body }
    case .foundation:
      let query = PlainQuery.sample
      try printTime { try JSONEncoder().encode(query) }
    }
  }

  private static func printTime<Value>(_ body: () throws -> Value) throws {
    let clock = ContinuousClock()
    let start = clock.now
    let value = try body()
    let end = clock.now
    withExtendedLifetime(value) {}
    print(start.duration(to: end).microseconds)
  }

  /// Starts processes in turn; each prints a time.
  private static func paired(_ start: (Contender) throws -> String) throws -> Paired {
    var times: [Double] = []
    var baselineTimes: [Double] = []
    for _ in 0..<processCount {
      times.append(try time(start(.ours)))
      baselineTimes.append(try time(start(.foundation)))
    }
    return Paired(times: times, baselineTimes: baselineTimes)
  }

  private static func time(_ text: String) throws -> Double {
    guard let time = Double(text), time > 0 else {
      throw ChildProcess.Failure(description: "the child printed no time but \"\(text)\"")
    }
    return time
  }
}
