/// The names of the headers of an application's calls.
enum HeaderName {
  /// The header that carries the API key.
  static let apiKey = "x-algolia-api-key"
  /// The header that carries the application ID.
  static let appID = "x-algolia-application-id"
}

/// The ID by which the service identifies all attempts of one call.
enum RequestID {
  /// The header that carries it.
  static let headerName = "Request-ID"

  /// Creates a new ID: 11 characters of `0-9A-Za-z`, the only form that the service accepts.
  static func make(using generator: inout some RandomNumberGenerator) -> String {
    let bytes = (0..<11).map { _ in alphabet[Int.random(in: alphabet.indices, using: &generator)] }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The ID that the caller sends in the query, where the service accepts it too.
  static func value(in queryItems: [QueryItem]) -> String? {
    queryItems.first { $0.name.lowercased() == "x-algolia-request-id" }?.value
  }

  private static let alphabet = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
}
