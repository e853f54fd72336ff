extension Double {
  /// The shortest decimals that are read back as the same number, without an exponent and, for an
  /// integer, without a fraction: `0.00001`, `42`, `10000000000000000`. Zero has no sign.
  package var plainNumber: String {
    if isZero { return "0" }
    let text = plainDecimals
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// The shortest decimals that are read back as the same number, without an exponent and with a
  /// fraction: `0.00001`, `42.0`.
  package var plainDecimals: String {
    let text = description
    let parts = text.split(separator: "e")
    guard parts.count == 2, let exponent = Int(parts[1]) else { return text }
    let sign = parts[0].hasPrefix("-") ? "-" : ""
    let mantissa = parts[0].filter { $0 != "-" }.split(separator: ".")
    let fraction = mantissa.count > 1 && mantissa[1] != "0" ? mantissa[1] : ""
    let digits = (mantissa.first ?? "") + fraction
    // The point stands behind the first digit, moved by the exponent.
    let point = 1 + exponent
    if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
    if point >= digits.count {
      return sign + digits + String(repeating: "0", count: point - digits.count) + ".0"
    }
    return sign + digits.prefix(point) + "." + digits.dropFirst(point)
  }
}
