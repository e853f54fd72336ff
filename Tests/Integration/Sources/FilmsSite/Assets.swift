import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// A file of the page, whose name changes with its content, so that a browser keeps it.
struct Asset: Sendable {
  let name: String
  private let type: String
  private let bytes: [UInt8]
  private let version: String

  fileprivate init(_ name: String, _ type: String, _ bytes: [UInt8]) {
    (self.name, self.type, self.bytes) = (name, type, bytes)
    // FNV-1a: it need not resist anything.
    let hash = bytes.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    version = String(hash, radix: 36)
  }

  /// The path with the version.
  var path: String { "/\(name)?\(version)" }

  /// The file, which a browser keeps for a year.
  var response: Response {
    Response(bytes, type: type, cache: "public, max-age=31536000, immutable")
  }
}

/// The files of the page.
enum Assets {
  static let css = Asset("page.css", "text/css", PackageResources.page_css)
  static let script = Asset("page.js", "text/javascript", PackageResources.page_js)
  static let icon = Asset("icon.svg", "image/svg+xml", PackageResources.icon_svg)
}

extension Response {
  /// Creates a response with the headers of each one that a browser shows or runs.
  fileprivate init(_ bytes: [UInt8], type: String, cache: String, status: HTTPResponse.Status = .ok)
  {
    var headers = HTTPFields()
    headers[.contentType] = "\(type); charset=utf-8"
    headers[.cacheControl] = cache
    headers[.contentSecurityPolicy] =
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
      + "img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    headers[.xContentTypeOptions] = "nosniff"
    self.init(
      status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  /// Creates a response with a page.
  init(page: HTML, status: HTTPResponse.Status = .ok) {
    self.init(Array(page.text.utf8), type: "text/html", cache: "no-store", status: status)
  }
}
