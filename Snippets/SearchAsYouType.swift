// Search as you type: a live screen in a terminal, scripted keystrokes otherwise.
import AsyncInstantSearch
import Foundation
import LocalSearch

struct Film: Codable, Sendable {
  let title: String
  let year: Int
}

let films = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Data/films.json")
let engine = LocalSearch()
try await engine.setSettings(
  IndexSettings(
    searchableAttributes: ["title", "directors", "cast", "plot"],
    attributesForFaceting: ["genres"],
    customRanking: ["desc(oscars)", "desc(year)"]),
  of: "films")
try await engine.load(contentsOf: films, into: "films")

// snippet.searcher
let searcher = HitsSearcher(
  client: SearchClient(transport: engine), indexName: "films",
  query: SearchQuery().with {
    $0.facets = ["genres"]
    $0.hitsPerPage = 10
  },
  debounce: .milliseconds(20))
// snippet.end

if isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 {
  await showLive(searcher)
} else {
  await typeScript(searcher)
}

/// Types words with typos and prints the results after each keystroke.
func typeScript(_ searcher: HitsSearcher) async {
  var pages = searcher.pages(of: Hit<Film>.self).makeAsyncIterator()
  for text in ["g", "go", "god", "godf", "godfh", "godfhater", "hitchcok", "seven samu"] {
    searcher.setQuery(text)
    guard let page = await pages.next() else { return }
    let first = page.hits.first.map { line(for: $0, pre: "[", post: "]") } ?? "nothing"
    print("\(text): \(page.nbHits) hits, first \(first)")
  }
}

/// Returns the title and the year, and the matching people if the film was found by a name.
func line(for hit: Hit<Film>, pre: String = "", post: String = "") -> String {
  let line = "\(hit.highlighted("title")?.tagged(pre: pre, post: post) ?? hit.title) (\(hit.year))"
  for attribute in ["title", "directors", "cast"] {
    guard let match = hit.highlighted(attribute), match.isHighlighted else { continue }
    return attribute == "title" ? line : line + ", " + match.tagged(pre: pre, post: post)
  }
  return line
}

/// Redraws the screen on each keystroke until escape or control-C is pressed.
@MainActor
func showLive(_ searcher: HitsSearcher) async {
  let terminal = RawTerminal()
  defer { terminal.restore() }
  let screen = Screen()
  // snippet.drawing
  let drawing = searcher.pages(of: Hit<Film>.self).subscribe { page in
    await screen.draw(page)
  }
  // snippet.end
  defer { drawing.disconnect() }
  searcher.submit()
  var text = ""
  for await key in terminal.keys() {
    screen.keyPressed = .now
    switch key {
    case "\u{3}", "\u{1B}": return
    case "\u{7F}", "\u{8}": text = String(text.dropLast())
    case "\r", "\n": searcher.submit()
    default: if key.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) { text.append(key) }
    }
    searcher.setQuery(text)
  }
}

/// Draws the query, hits on the left with matches in bold, facets on the right, time below.
@MainActor
final class Screen {
  var keyPressed = ContinuousClock.now

  func draw(_ page: HitsPage<Hit<Film>>) {
    let time = ContinuousClock.now - keyPressed
    let genres = page.facets["genres"]?.values ?? []
    var screen = "\u{1B}[2J\u{1B}[H> \(page.query)\u{1B}[7m \u{1B}[0m\r\n\r\n"
    for row in 0..<max(page.hits.count, min(genres.count, 10)) {
      var width = 0
      if row < page.hits.count {
        screen += line(for: page.hits[row], pre: "\u{1B}[1m", post: "\u{1B}[0m")
        width = line(for: page.hits[row]).count
      }
      screen += String(repeating: " ", count: max(1, 64 - width))
      if row < genres.count { screen += "\(genres[row].value) \(genres[row].count)" }
      screen += "\r\n"
    }
    let milliseconds = (time / .milliseconds(1)).formatted(.number.precision(.fractionLength(1)))
    screen += "\r\n\(page.nbHits) hits, \(milliseconds) ms after the key (escape ends)"
    FileHandle.standardOutput.write(Data(screen.utf8))
  }
}

/// A terminal without line editing, so that every key is received when it is pressed.
struct RawTerminal {
  private let original: termios

  init() {
    var settings = termios()
    tcgetattr(STDIN_FILENO, &settings)
    original = settings
    cfmakeraw(&settings)
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }

  func restore() {
    var settings = original
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    print()
  }

  /// Returns the keys as characters until the input ends.
  func keys() -> AsyncStream<Character> {
    let (stream, continuation) = AsyncStream.makeStream(of: Character.self)
    Thread.detachNewThread {
      var pending: [UInt8] = []
      while true {
        let bytes = FileHandle.standardInput.availableData
        if bytes.isEmpty { break }
        // An arrow key sends escape and more bytes at once. Only a single escape is the escape key.
        if bytes.count > 1, bytes.first == 0x1B { continue }
        pending += bytes
        guard let text = String(validating: pending, as: UTF8.self) else { continue }
        for character in text { continuation.yield(character) }
        pending = []
      }
      continuation.finish()
    }
    return stream
  }
}
