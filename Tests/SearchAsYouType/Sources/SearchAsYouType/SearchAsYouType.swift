import AsyncInstantSearch
import Foundation

/// Search as you type: a live screen in a terminal, scripted keystrokes otherwise.
@main
struct SearchAsYouType {
  static func main() async {
    do {
      let arguments = CommandLine.arguments.dropFirst()
      if let argument = arguments.first {
        guard ["--help", "-h"].contains(argument) else {
          throw TerminalError(description: "\(argument) is no option. Try --help.")
        }
        return try Script.write(help)
      }
      // A terminal that cannot move its cursor gets the lines of the script.
      let kind = ProcessInfo.processInfo.environment["TERM"] ?? ""
      if isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, !["", "dumb"].contains(kind) {
        exit(try await TerminalScreen.run())
      }
      try await Script.run()
    } catch {
      FileHandle.standardError.write(Data("SearchAsYouType: \(error)\n".utf8))
      exit(1)
    }
  }

  private static let help = """
    usage: SearchAsYouType

    Searches 668 films as you type, on the whole screen of the terminal: tab goes to the lists of
    facets, and escape ends. Without a terminal, or with TERM=dumb, it prints the result of a few
    texts instead. NO_COLOR turns the colors off, and LANG=C shows only ASCII.
    """
}

/// The search without a terminal: words with typos, and the result after each keystroke.
enum Script {
  static func run() async throws {
    let search = try await FilmSearch()
    var pages = search.searcher.pages(of: Hit<Film>.self).makeAsyncIterator()
    for text in ["g", "go", "god", "godf", "godfh", "godfhater", "hitchcok", "seven samu"] {
      try search.live.perform(search.box.setQuery(text))
      guard let page = await pages.next() else { return }
      try write("\(text): \(page.nbHits) hits, first \(page.hits.first.map(line) ?? "nothing")")
    }
  }

  /// Writes a line, or throws what the system says of it.
  static func write(_ line: String) throws {
    let text = TerminalCharacters.current.encode(line) + "\n"
    try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
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
