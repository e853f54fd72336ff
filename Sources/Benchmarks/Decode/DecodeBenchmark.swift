import AsyncInstantSearch
import Foundation
import SearchJSON

/// Pages decoded by this library and by Foundation, from the same bytes.
enum DecodeBenchmark {
  /// Measures the cases whose names begin with a text, all by default; prints one line for each.
  static func run(_ names: String, asJSON: Bool) throws {
    let page = SampleResponse.page(hits: 20)
    let large = SampleResponse.page(hits: 1_000)
    let cases: [(name: String, run: (String) throws -> Void)] = [
      ("hits20", { try compare($0, page, asJSON) }),
      ("hits20.pretty", { try compare($0, SampleResponse.pretty(page), asJSON) }),
      (
        "hits20.reordered",
        { try compare($0, SampleResponse.page(hits: 20, isReordered: true), asJSON) }
      ),
      ("hits1000", { try compare($0, large, blocks: 20, asJSON) }),
      (
        "hits1000.reordered",
        {
          try compare(
            $0, SampleResponse.page(hits: 1_000, isReordered: true), blocks: 20, asJSON)
        }
      ),
      ("records20", { try compareRecords($0, page, asJSON) }),
      ("json20", { try compareJSON($0, page, asJSON) }),
      ("tape20", { try compareTape($0, page, asJSON) }),
      ("tape1000", { try compareTape($0, large, blocks: 20, asJSON) }),
    ]
    for (name, run) in cases where name.hasPrefix(names) { try run(name) }
  }

  /// `Hit<T>` pages, as a search decodes them.
  private static func compare(
    _ name: String, _ bytes: [UInt8], blocks: Int = 60, _ asJSON: Bool
  ) throws {
    let data = Data(bytes)
    let decoder = JSONDecoder()
    let paired = try Paired(blocks: blocks) {
      try HitsPage<Hit<Product>>(node: JSONDocument(bytes).root, options: JSONDecodingOptions())
    } against: {
      try decoder.decode(PlainPage<PlainHit<Product>>.self, from: data)
    }
    print(name, "JSONDecoder", paired, bytes.count, asJSON)
  }

  /// Pages of records without metadata.
  private static func compareRecords(_ name: String, _ bytes: [UInt8], _ asJSON: Bool) throws {
    let data = Data(bytes)
    let decoder = JSONDecoder()
    let paired = try Paired {
      try HitsPage<Product>(node: JSONDocument(bytes).root, options: JSONDecodingOptions())
    } against: {
      try decoder.decode(PlainPage<Product>.self, from: data)
    }
    print(name, "JSONDecoder", paired, bytes.count, asJSON)
  }

  private static func compareJSON(_ name: String, _ bytes: [UInt8], _ asJSON: Bool) throws {
    let data = Data(bytes)
    let paired = try Paired {
      try JSON(parsing: bytes)
    } against: {
      try JSONSerialization.jsonObject(with: data)
    }
    print(name, "JSONSerialization", paired, bytes.count, asJSON)
  }

  /// The pass over the bytes alone, which makes no value.
  private static func compareTape(
    _ name: String, _ bytes: [UInt8], blocks: Int = 60, _ asJSON: Bool
  ) throws {
    let data = Data(bytes)
    let paired = try Paired(blocks: blocks) {
      try JSONDocument(bytes)
    } against: {
      try JSONSerialization.jsonObject(with: data)
    }
    print(name, "JSONSerialization", paired, bytes.count, asJSON)
  }

  private static func print(
    _ name: String, _ baseline: String, _ paired: Paired, _ size: Int, _ asJSON: Bool
  ) {
    let ratio = (paired.ratio * 100).rounded() / 100
    let speed = (Double(size) / paired.time).rounded()
    let times = (paired.time.rounded(), paired.baselineTime.rounded())
    if asJSON {
      Swift.print(
        #"{"name":"\#(name)","ratio":\#(ratio),"baseline":"\#(baseline)","us":\#(times.0),"#
          + #""baseline_us":\#(times.1),"MB/s":\#(speed),"bytes":\#(size)}"#)
    } else {
      Swift.print(
        "\(name): \(ratio) times \(baseline); \(times.0) µs against \(times.1) µs, \(speed) MB/s")
    }
  }
}
