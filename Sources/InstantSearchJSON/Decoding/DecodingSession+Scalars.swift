// The values of single tape words as Swift types, or the error Foundation's decoder would throw.
extension DecodingSession {
  func bool(at index: Int) throws -> Bool {
    switch word(at: index).kind {
    case .true: return true
    case .false: return false
    default: throw mismatch(Bool.self, at: index)
    }
  }

  func string(at index: Int) throws -> String {
    switch word(at: index).kind {
    case .string, .escapedString: return document.text(at: index)
    default: throw nullOrMismatch(String.self, at: index)
    }
  }

  func integer<T: FixedWidthInteger>(_ type: T.Type, at index: Int) throws -> T {
    let kind = word(at: index).kind
    guard kind == .integer || kind == .real else { throw nullOrMismatch(type, at: index) }
    let number = document.number(at: index)
    guard let value = number.integer(type, isInteger: kind == .integer) else {
      throw doesNotFit(number.text, type, at: index)
    }
    return value
  }

  func double(at index: Int) throws -> Double {
    let kind = word(at: index).kind
    guard kind == .integer || kind == .real else {
      return try nonConformingFloat(Double.self, at: index)
    }
    let number = document.number(at: index)
    guard let value = number.double else { throw doesNotFit(number.text, Double.self, at: index) }
    return value
  }

  func float(at index: Int) throws -> Float {
    let kind = word(at: index).kind
    guard kind == .integer || kind == .real else {
      return try nonConformingFloat(Float.self, at: index)
    }
    let number = document.number(at: index)
    guard let value = number.float else { throw doesNotFit(number.text, Float.self, at: index) }
    return value
  }

  private func nonConformingFloat<T: BinaryFloatingPoint>(
    _ type: T.Type, at index: Int
  ) throws -> T {
    let kind = word(at: index).kind
    if kind == .string || kind == .escapedString,
      case .strings(let positive, let negative, let nan) = options.nonConformingFloats
    {
      if document.text(at: index, equals: positive) { return .infinity }
      if document.text(at: index, equals: negative) { return -.infinity }
      if document.text(at: index, equals: nan) { return .nan }
    }
    throw nullOrMismatch(type, at: index)
  }

  // MARK: - Errors

  func mismatch(_ type: Any.Type, at index: Int) -> DecodingError {
    .typeMismatch(
      type,
      DecodingError.Context(
        codingPath: path(to: index),
        debugDescription:
          "Expected to decode \(type) but found \(description(at: index)) instead."))
  }

  func nullOrMismatch(_ type: Any.Type, at index: Int) -> DecodingError {
    guard isNull(at: index) else { return mismatch(type, at: index) }
    return .valueNotFound(
      type,
      DecodingError.Context(
        codingPath: path(to: index),
        debugDescription: "Cannot get value of type \(type) -- found null value instead"))
  }

  func corrupted(_ message: String, at index: Int) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: path(to: index), debugDescription: message))
  }

  private func doesNotFit(_ number: String, _ type: Any.Type, at index: Int) -> DecodingError {
    corrupted("Number \(number.prefix(100)) does not fit in \(type).", at: index)
  }

  /// What a value is, in the words of a decoding error.
  func description(at index: Int) -> String {
    switch word(at: index).kind {
    case .null: "null"
    case .false, .true: "bool"
    case .integer, .real: "number"
    case .array: "an array"
    case .object: "a dictionary"
    default: "a string"
    }
  }
}
