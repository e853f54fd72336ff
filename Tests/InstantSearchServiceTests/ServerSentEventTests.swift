import AsyncInstantSearchTesting
import InstantSearchService
import TestSupport
import Testing

struct ServerSentEventTests {
  /// An event as the HTML standard says that a browser reads it; `nil` without data.
  private func read(_ bytes: [UInt8]) -> (name: String?, id: String?, data: String)? {
    var text = String(decoding: bytes, as: UTF8.self)
    text = text.split(separator: "\r\n", omittingEmptySubsequences: false).joined(separator: "\n")
    text = String(text.unicodeScalars.map { $0 == "\r" ? "\n" : Character($0) })
    var (name, id, lines): (String?, String?, [String]) = (nil, nil, [])
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      let value = parts[1].first == " " ? String(parts[1].dropFirst()) : String(parts[1])
      switch parts[0] {
      case "event": name = value
      case "id": id = value
      case "data": lines.append(value)
      default: break
      }
    }
    return lines.isEmpty ? nil : (name, id, lines.joined(separator: "\n"))
  }

  @Test func eventsAreWrittenAsTheStandardSays() {
    expectEqual(ServerSentEvent("a").bytes, Array("data: a\n\n".utf8))
    expectEqual(
      ServerSentEvent("a\nb", name: "page", id: "7").bytes,
      Array("event: page\nid: 7\ndata: a\ndata: b\n\n".utf8))
    expectEqual(ServerSentEvent("").bytes, Array("data: \n\n".utf8))
    expectEqual(ServerSentEvent("a\r\nb\rc\n").bytes, ServerSentEvent("a\nb\nc\n").bytes)
    #expect(read(ServerSentEvent.keepAlive) == nil)
  }

  @Test(arguments: Seed.all(2_000, quick: 50))
  func eventsAreReadAsTheyWereWritten(seed: Seed) throws {
    var random = SeededGenerator(seed: seed.value)
    func text(_ letters: [String]) -> String {
      (0..<Int.random(in: 0...12, using: &random)).map { _ in
        letters.randomElement(using: &random) ?? ""
      }.joined()
    }
    let letters = [
      "a", ":", " ", "\n", "\r", "\r\n", "data: x", "\n\nevent: y", "é", "\u{2028}", "🎬",
    ]
    let event = ServerSentEvent(text(letters), name: text(letters), id: text(letters + ["\0"]))
    let found = try #require(read(event.bytes))
    func withoutLineEnds(_ text: String?) -> String? {
      text.map {
        String(
          String.UnicodeScalarView(
            $0.unicodeScalars.filter { !"\r\n\0".unicodeScalars.contains($0) }))
      }
    }
    let lines = String(
      event.data.split(separator: "\r\n", omittingEmptySubsequences: false).joined(separator: "\n")
        .unicodeScalars.map { $0 == "\r" ? "\n" : Character($0) })
    expectEqual(found.data, lines)
    #expect(found.name == withoutLineEnds(event.name) && found.id == withoutLineEnds(event.id))
    // Exactly one event, whose end is the last empty line.
    let written = String(decoding: event.bytes, as: UTF8.self)
    #expect(written.hasSuffix("\n\n") && !written.dropLast(2).contains("\n\n"))
  }

  @Test func responseOfEventsIsAStreamThatNobodyStores() async {
    let (events, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    let response = ServiceResponse(events: events)
    continuation.yield(ServerSentEvent("a").bytes)
    continuation.finish()
    guard case .stream(let stream) = response.body else {
      Issue.record("no stream")
      return
    }
    await expectEqual(stream.reduce([]) { $0 + $1 }, Array("data: a\n\n".utf8))
    let headers = Dictionary(uniqueKeysWithValues: response.headers.map { ($0.name, $0.value) })
    expectEqual(headers["Content-Type"], "text/event-stream; charset=utf-8")
    #expect(headers["Cache-Control"] == "no-store" && response.status == 200)
  }
}
