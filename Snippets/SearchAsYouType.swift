// Search as you type: a live screen on a terminal, scripted keystrokes without one.
import AsyncInstantSearch
import Foundation
import LocalSearch

struct Film: Codable, Sendable {
  let title: String
  let year: Int
}

let films = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Data/films.json")
let engine = LocalSearch(configuration: .init(clock: ContinuousClock()))
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
  query: SearchQuery("").with {
    $0.facets = ["genres"]
    $0.hitsPerPage = 10
  })
let pages = searcher.pages(of: Hit<Film>.self)
// snippet.end

if isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 {
  await showLive(searcher, pages)
} else {
  await typeScript(searcher, pages)
}

/// Types words with mistakes in them and prints what is found after each keystroke.
func typeScript(_ searcher: HitsSearcher, _ pages: AsyncStream<HitsPage<Hit<Film>>>) async {
  var pages = pages.makeAsyncIterator()
  for text in ["g", "go", "god", "godf", "godfh", "godfhater", "hitchcok", "seven samu"] {
    searcher.setQuery(text)
    guard let page = await pages.next() else { return }
    let best = page.hits.first
    let title = best?.highlighted("title")?.tagged(pre: "[", post: "]") ?? "nothing"
    let year = best.map { " (\($0.year))" } ?? ""
    print("\(text): \(page.nbHits) hits, first \(title)\(year)")
  }
}

/// Redraws the screen at each keystroke until escape or control-C is pressed.
func showLive(_ searcher: HitsSearcher, _ pages: AsyncStream<HitsPage<Hit<Film>>>) async {
  let terminal = RawTerminal()
  defer { terminal.restore() }
  let drawing = Task {
    for await page in pages { draw(page) }
  }
  defer { drawing.cancel() }
  searcher.submit()
  var text = ""
  for await key in terminal.keys() {
    switch key {
    case "\u{3}", "\u{1B}": return
    case "\u{7F}", "\u{8}": text = String(text.dropLast())
    case "\r", "\n": searcher.submit()
    default: text.append(key)
    }
    searcher.setQuery(text)
  }
}

/// One screen: the query, hits on the left with matches in bold, facets on the right, time below.
func draw(_ page: HitsPage<Hit<Film>>) {
  var lines: [String] = []
  for hit in page.hits {
    let title = hit.highlighted("title")
    let marked = title?.tagged(pre: "\u{1B}[1m", post: "\u{1B}[0m") ?? hit.title
    let width = (title?.text ?? hit.title).count
    lines.append("\(marked) (\(hit.year))" + String(repeating: " ", count: max(1, 48 - width)))
  }
  let genres = page.facets["genres"]?.values ?? []
  var screen = "\u{1B}[2J\u{1B}[H> \(page.query)\u{1B}[7m \u{1B}[0m\r\n\r\n"
  for row in 0..<max(lines.count, min(genres.count, 10)) {
    screen += row < lines.count ? lines[row] : String(repeating: " ", count: 55)
    if row < genres.count { screen += "\(genres[row].value) \(genres[row].count)" }
    screen += "\r\n"
  }
  screen += "\r\n\(page.nbHits) hits in \(page.processingTimeMS) ms (escape ends)"
  FileHandle.standardOutput.write(Data(screen.utf8))
}

/// The terminal without line editing, so that every key arrives when it is pressed.
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

  /// The keys, as characters, until the input ends.
  func keys() -> AsyncStream<Character> {
    let (stream, continuation) = AsyncStream.makeStream(of: Character.self)
    Thread.detachNewThread {
      var pending: [UInt8] = []
      while let byte = try? FileHandle.standardInput.read(upToCount: 1)?.first {
        pending.append(byte)
        guard let text = String(validating: pending, as: UTF8.self) else { continue }
        for character in text { continuation.yield(character) }
        pending = []
      }
      continuation.finish()
    }
    return stream
  }
}
