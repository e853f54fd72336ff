import AsyncInstantSearch
import Foundation

/// Search as you type: a live screen in a terminal, scripted keystrokes otherwise.
@main
struct SearchAsYouType {
  static func main() async {
    do {
      if isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 {
        exit(try await TerminalScreen.run())
      }
      try await Script.run()
    } catch {
      FileHandle.standardError.write(Data("SearchAsYouType: \(error)\n".utf8))
      exit(1)
    }
  }
}

/// The search without a terminal: words with typos, and the result after each keystroke.
enum Script {
  static func run() async throws {
    let search = try await FilmSearch()
    var pages = search.searcher.pages(of: Hit<Film>.self).makeAsyncIterator()
    for text in ["g", "go", "god", "godf", "godfh", "godfhater", "hitchcok", "seven samu"] {
      try search.live.perform(search.box.setQuery(text))
      guard let page = await pages.next() else { return }
      print("\(text): \(page.nbHits) hits, first \(page.hits.first.map(line) ?? "nothing")")
    }
  }

  /// The title and the year, and the matching people if the film was found by a name.
  private static func line(for hit: Hit<Film>) -> String {
    func marked(_ attribute: String) -> String? {
      hit.highlighted(attribute)?.tagged(pre: "[", post: "]")
    }
    let line = "\(marked("title") ?? hit.title) (\(hit.year))"
    let match = ["title", "directors", "cast"].first {
      hit.highlighted($0)?.isHighlighted == true
    }
    guard let match, match != "title", let name = marked(match) else { return line }
    return "\(line), \(name)"
  }
}
