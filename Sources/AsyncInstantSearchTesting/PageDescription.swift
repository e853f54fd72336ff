#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Returns a page as a table, for assertions that read like what a user sees.
///
/// ```swift
/// #expect(
///   describe(page, "title", "year") == """
///     2 hits, page 1 of 1
///     objectID | title           | year
///     f-1      | The *Godf*ather | 1972
///     f-2      | *Goodf*ellas    | 1990
///     """)
/// ```
///
/// Matched words are between asterisks. Numbers, lists and objects are written as JSON. Requested
/// facets follow, one per line, and hits that were not decoded, so that no hit is lost silently.
///
/// - Parameters:
///   - page: The page.
///   - attributes: The attributes after the ID, in order, with dots into objects, as in
///     `author.name`. Defaults to none.
/// - Returns: The lines, without a line end after the last one.
public func describe<Record: Codable & Sendable>(
  _ page: HitsPage<Hit<Record>>, _ attributes: String...
) -> String {
  description(of: page, columns: ["objectID"] + attributes) { hit in
    let record = JSON(of: hit.object)
    return [hit.objectID]
      + attributes.map { attribute in
        hit.highlighted(attribute)?.tagged(pre: "*", post: "*")
          ?? record.cell(at: attribute)
      }
  }
}

/// Returns a page of plain records as a table, like the form for hits, without their IDs and
/// highlights.
///
/// - Parameters:
///   - page: The page.
///   - attributes: The attributes, in order.
public func describe<Record: Codable & Sendable>(
  _ page: HitsPage<Record>, _ attributes: String...
) -> String {
  description(of: page, columns: attributes) { record in
    let record = JSON(of: record)
    return attributes.map { record.cell(at: $0) }
  }
}

private func description<Record>(
  of page: HitsPage<Record>, columns: [String], _ cells: (Record) -> [String]
) -> String {
  let hits = page.nbHits == 1 ? "1 hit" : "\(page.nbHits) hits"
  var lines = ["\(hits), page \(page.page + 1) of \(page.nbPages)"]
  if !columns.isEmpty, !page.hits.isEmpty {
    lines += table(of: [columns] + page.hits.map { cells($0).map(\.inOneLine) })
  }
  for facet in page.facets {
    let values = facet.values.map { "\($0.value) \($0.count)" }.joined(separator: ", ")
    lines.append("\(facet.attribute): \(values)")
  }
  lines += page.failures.map { "not decoded: \($0)" }
  return lines.joined(separator: "\n")
}

/// The lines of a table whose columns are as wide as their widest cell.
func table(of rows: [[String]]) -> [String] {
  let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
  return rows.map { row in
    let cells = zip(row, widths).map { cell, width in
      cell + String(repeating: " ", count: width - cell.count)
    }
    let line = cells.joined(separator: " | ")
    return String(line.reversed().drop { $0 == " " }.reversed())
  }
}

extension JSON {
  /// The JSON of a record; `null` if it cannot be encoded.
  fileprivate init(of record: some Encodable) {
    let data = try? JSONEncoder().encode(record)
    self = data.flatMap { try? JSONDecoder().decode(JSON.self, from: $0) } ?? .null
  }

  /// The text of the value at a path, or `-` without a value.
  fileprivate func cell(at path: String) -> String {
    let value = path.split(separator: ".").reduce(Optional(self)) { value, name in
      value?[String(name)] ?? Int(name).flatMap { value?[$0] }
    }
    guard let value, !value.isNull else { return "-" }
    return value.stringValue ?? "\(value)"
  }
}

extension String {
  /// The text without line ends, which would end a row.
  var inOneLine: String {
    replacing("\r\n", with: "\\n").replacing("\n", with: "\\n").replacing("\r", with: "\\n")
  }
}
