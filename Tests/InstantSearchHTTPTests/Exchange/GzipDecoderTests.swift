#if os(Linux)
  import InstantSearchHTTP
  import Foundation
  import TestSupport
  import Testing

  /// The decompression of bodies, from bytes that are the same in each run.
  struct GzipDecoderTests {
    private static let text = #"{"hits":[],"nbHits":0}"#
    private static let bytes = gzip("H4sIAAAAAAACA6tWysgsKVayio7VUcpL8gCzDWoBuDO2ORYAAAA=")
    /// Ten thousand times the letter `a`.
    private static let long = gzip(
      "H4sIAAAAAAACA+3BAQ0AAADCoKzvX8IcbkABAAAAAAAAAADAvwGX1H5GECcAAA==")

    private static func gzip(_ base64: String) -> [UInt8] {
      Data(base64Encoded: base64).map(Array.init) ?? []
    }

    /// The decompressed text, or `nil` for an error.
    private func text(
      _ body: [UInt8], encoding: String? = "gzip", maximumBodySize: Int = 1 << 20
    ) async -> String? {
      let headers = encoding.map { [HTTPHeader(name: "Content-Encoding", value: $0)] } ?? []
      let response = HTTPExchangeResponse(status: 200, headers: headers, body: body)
      let decoded = try? await GzipDecoder.decode(
        response, maximumBodySize: maximumBodySize, until: .now.advanced(by: .seconds(1 << 40)))
      return decoded.map { String(decoding: $0.body, as: UTF8.self) }
    }

    @Test func membersAreReadAndOtherBytesAfterThemAreNot() async {
      let (text, bytes) = (Self.text, Self.bytes)
      await expectEqual(self.text(bytes), text)
      await expectEqual(self.text(bytes, encoding: "X-GZIP"), text)
      await expectEqual(self.text(bytes + bytes), text + text)
      await expectEqual(self.text(bytes + Array("more".utf8)), text)
      await expectEqual(self.text([]), "")
      await expectEqual(self.text(Array(text.utf8), encoding: nil), text)
      await expectEqual(self.text(Array(text.utf8), encoding: "identity"), text)
    }

    @Test func truncatedAndForeignBodiesAreErrors() async {
      for count in 1..<Self.bytes.count {
        #expect(await text(Array(Self.bytes.prefix(count))) == nil, "\(count) bytes")
      }
      #expect(await text(Array("plain text".utf8)) == nil)
      #expect(await text(Self.bytes, encoding: "zebra") == nil)
      #expect(await text(Self.bytes, encoding: "gzip, gzip, gzip, gzip, gzip") == nil)
    }

    @Test func bodiesAreLimitedByTheirDecompressedSize() async {
      await expectEqual(text(Self.long, maximumBodySize: 10_000)?.utf8.count, 10_000)
      #expect(await text(Self.long, maximumBodySize: 9_999) == nil)
    }
  }
#endif
