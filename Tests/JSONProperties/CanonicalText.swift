import Foundation

/// A value with a canonical text.
protocol CanonicallyDescribed {
  var ownText: String { get }
}

/// A text that is equal for equal values and different for others of any types: sets and
/// dictionaries in a fixed order, numbers to the last bit, strings as their scalars.
package func canonicalText(of value: Any) -> String {
  switch value {
  case let value as any CanonicallyDescribed: return value.ownText
  case let value as String:
    return "\""
      + value.unicodeScalars.map { $0.isASCII ? String($0) : "{\(String($0.value, radix: 16))}" }
      .joined() + "\""
  case let value as Double: return value.isNaN ? "nan" : value.description
  case let value as Float: return value.isNaN ? "nan" : value.description
  case let value as Date:
    let seconds = value.timeIntervalSinceReferenceDate
    // Foundation and our decoder round fractions of seconds in text differently in the last bits.
    // Rounded down to the millisecond, and avoiding values that texts have.
    return "date \(seconds.magnitude < 1e12 ? (seconds * 1e3 + 0.2369).rounded() : seconds)"
  case let value as Data: return "data \(value.base64EncodedString())"
  case let value as URL: return "url \(value.relativeString) \(value.baseURL?.relativeString ?? "")"
  case let value as Decimal: return "decimal \(value)"
  case let value as UUID: return value.uuidString
  case let value as any BinaryInteger: return "\(value)"
  default: return canonicalText(ofParts: value)
  }
}

private func canonicalText(ofParts value: Any) -> String {
  let mirror = Mirror(reflecting: value)
  var children: [String] = []
  var parts: Mirror? = mirror
  while let mirror = parts {
    children += mirror.children.map { child in
      (child.label.map { "\($0): " } ?? "") + canonicalText(of: child.value)
    }
    parts = mirror.superclassMirror
  }
  switch mirror.displayStyle {
  case nil: return children.isEmpty ? "\(value)" : "(\(children.joined(separator: ", ")))"
  case .optional: return children.isEmpty ? "nil" : "some(\(children[0]))"
  case .enum: return children.isEmpty ? "\(value)" : "case \(children.joined(separator: ", "))"
  case .set, .dictionary: return "{\(children.sorted().joined(separator: ", "))}"
  case .collection: return "[\(children.joined(separator: ", "))]"
  default: return "\(type(of: value))(\(children.joined(separator: ", ")))"
  }
}
