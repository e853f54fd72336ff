import InstantSearchJSON

extension TransportResponse {
  /// How long the server wants to be left alone: the seconds of `Retry-After`, or the time between
  /// the answer's `Date` and the date there; `nil` without either.
  ///
  /// The server's own clock is asked for the present, for that of this machine may be wrong.
  package var retryAfter: Duration? {
    guard let text = headers.firstValue(named: "Retry-After")?.trimmed else { return nil }
    if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    {
      // What does not fit is bounded like any other long time.
      return .seconds(Int64(text) ?? .max)
    }
    guard let end = HTTPDate.seconds(of: text),
      let now = headers.firstValue(named: "Date").flatMap({ HTTPDate.seconds(of: $0.trimmed) })
    else { return nil }
    return .seconds(end - now)
  }
}

/// Dates in headers.
private enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The seconds since 1970 of a date like `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that is
  /// written (RFC 9110, 5.6.7).
  static func seconds(of text: String) -> Int64? {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 6, parts[5] == "GMT",
      let month = months.firstIndex(of: String(parts[2]))
    else { return nil }
    let number = month + 1 < 10 ? "0\(month + 1)" : "\(month + 1)"
    return ISO8601.seconds(from: "\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
  }
}

extension String {
  /// The text without spaces and tabs around it.
  fileprivate var trimmed: String {
    let isSpace = { (character: Character) in character == " " || character == "\t" }
    return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }
}
