#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Dates as ISO 8601 text.
package enum ISO8601 {
  /// Parses `2024-05-01T12:00:00Z`, with any number of fractional digits and with `Z` or an offset
  /// of hours, or hours and minutes. Foundation's style parses other forms, and the years in which
  /// its calendar changes to the Gregorian one.
  static func date(from text: String) -> Date? {
    var scanner = Scanner(bytes: Array(text.utf8))
    return scanner.date() ?? (try? Date.ISO8601FormatStyle().parse(text))
  }

  /// The whole seconds since 1970 of the result of ``date(from:)``.
  package static func seconds(from text: String) -> Int64? {
    date(from: text).flatMap { Int64(exactly: $0.timeIntervalSince1970.rounded(.down)) }
  }

  /// Formats whole seconds since 1970 in UTC.
  package static func text(fromSeconds seconds: Int) -> String {
    text(from: Date(timeIntervalSince1970: Double(seconds)))
  }

  /// Formats whole seconds in UTC, like Foundation's encoder.
  static func text(from date: Date) -> String {
    Date.ISO8601FormatStyle().format(date)
  }

  /// Parses the common form from its bytes.
  private struct Scanner {
    let bytes: [UInt8]
    var position = 0

    init(bytes: [UInt8]) {
      self.bytes = bytes
    }

    mutating func date() -> Date? {
      guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2),
        skip("T") || skip("t"), let hour = number(2), skip(":"), let minute = number(2), skip(":"),
        let second = number(2), year >= 1583, (1...12).contains(month),
        (1...Self.days(in: month, of: year)).contains(day), hour < 24, minute < 60, second < 60
      else { return nil }
      var fraction = 0.0
      if skip(".") {
        guard let value = self.fraction() else { return nil }
        fraction = value
      }
      guard let offset = offset(), position == bytes.count else { return nil }
      // 64 bits, because 32 bits end in 2038.
      let days = Int64(Self.daysSince1970(year: year, month: month, day: day))
      let seconds = days * 86_400 + Int64(hour * 3_600 + minute * 60 + second - offset)
      return Date(timeIntervalSince1970: Double(seconds) + fraction)
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
      position += 1
      return true
    }

    private mutating func number(_ digits: Int) -> Int? {
      guard position + digits <= bytes.count else { return nil }
      var value = 0
      for _ in 0..<digits {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) else { return nil }
        value = value * 10 + Int(bytes[position] - UInt8(ascii: "0"))
        position += 1
      }
      return value
    }

    private mutating func fraction() -> Double? {
      let start = position
      while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 { position += 1 }
      guard position > start else { return nil }
      return Double("0." + String(decoding: bytes[start..<position], as: UTF8.self))
    }

    /// The offset east of UTC, in seconds.
    private mutating func offset() -> Int? {
      if skip("Z") || skip("z") { return 0 }
      let sign: Int
      if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
      guard let hours = number(2), hours < 24 else { return nil }
      guard position < bytes.count else { return sign * hours * 3_600 }
      _ = skip(":")
      guard let minutes = number(2), minutes < 60 else { return nil }
      return sign * (hours * 3_600 + minutes * 60)
    }

    private static func days(in month: Int, of year: Int) -> Int {
      switch month {
      case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
      case 4, 6, 9, 11: 30
      default: 31
      }
    }

    /// The days from 1 January 1970 to a date of the Gregorian calendar, which repeats every 400
    /// years of 146,097 days. Years begin in March, so that the leap day is last.
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
      let marchYear = month > 2 ? year : year - 1
      let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
      let yearOfEra = marchYear - era * 400
      let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
      return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
  }
}
