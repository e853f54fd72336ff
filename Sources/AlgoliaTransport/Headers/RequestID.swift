import AsyncInstantSearch

/// The ID by which the service knows all attempts of one call.
enum RequestID {
  /// The header that carries it.
  static let headerName = "Request-ID"

  /// Draws a new ID: 11 characters of `0-9A-Za-z`, the one form that the service reads.
  static func make(using generator: inout some RandomNumberGenerator) -> String {
    let bytes = (0..<11).map { _ in alphabet[Int.random(in: alphabet.indices, using: &generator)] }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The ID that the caller sends in the query, where the service also looks for it.
  static func value(in queryItems: [QueryItem]) -> String? {
    queryItems.first { $0.name.lowercased() == "x-algolia-request-id" }?.value
  }

  private static let alphabet = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
}
