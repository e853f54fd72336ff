import Foundation

/// Search as you type: a live screen in a terminal, scripted keystrokes otherwise.
@main
struct SearchAsYouType {
  static func main() async {
    do {
      if isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 {
        exit(try await LiveScreen.run())
      }
      try await Script.run()
    } catch {
      FileHandle.standardError.write(Data("SearchAsYouType: \(error)\n".utf8))
      exit(1)
    }
  }
}
