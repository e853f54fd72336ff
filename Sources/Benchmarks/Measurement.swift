/// The times of one operation, repeated.
struct Measurement {
  let name: String
  /// The times, in microseconds.
  private let times: [Double]
  /// How long a part of the operation takes, in microseconds, where that was measured apart.
  var part: (name: String, time: Double)?

  /// Calls `body` once for each element after as many calls that are not counted, and times each.
  init<Element>(
    _ name: String, over elements: [Element], _ body: (Element) async throws -> Void
  ) async throws {
    for element in elements { try await body(element) }
    var times: [Double] = []
    let clock = ContinuousClock()
    for element in elements {
      let start = clock.now
      try await body(element)
      times.append(start.duration(to: clock.now).microseconds)
    }
    self.name = name
    self.times = times
  }

  /// The median, in microseconds.
  var median: Double { times.percentile(50) }

  /// Prints the median and the 99th percentile in microseconds, as text or as one JSON object.
  func print(asJSON: Bool) {
    let median = Int(median)
    let p99 = Int(times.percentile(99))
    if asJSON {
      let part = part.map { #","\#($0.name)_us":\#($0.time.rounded(toPlaces: 1))"# } ?? ""
      Swift.print(
        #"{"name":"\#(name)","count":\#(times.count),"median_us":\#(median),"p99_us":\#(p99)\#(part)}"#
      )
    } else {
      let part = part.map { ", of which \($0.name) \($0.time.rounded(toPlaces: 1)) µs" } ?? ""
      Swift.print("\(name): median \(median) µs\(part), p99 \(p99) µs over \(times.count)")
    }
  }
}

extension Double {
  /// The number with so many decimals.
  func rounded(toPlaces places: Int) -> Double {
    let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
    return (self * scale).rounded() / scale
  }
}
