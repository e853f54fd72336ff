import Foundation

/// The terminal with its alternate screen. What it showed before comes back at the end.
struct Terminal {
  private let settings: String

  /// Takes the terminal: raw keys, the alternate screen, no line wrapping, and marks around pasted
  /// text.
  init() throws {
    try SerialSettings.checkIsForeground()
    settings = try SerialSettings.saved()
    do {
      try SerialSettings.setRaw()
      try write("\u{1B}[?1049h\u{1B}[?7l\u{1B}[?2004h\u{1B}[2J")
    } catch {
      restore()
      throw error
    }
  }

  /// Writes the text at once.
  func write(_ text: String) throws {
    try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }

  /// Restores the screen and the settings. The errors of a terminal that was closed are ignored.
  func restore() {
    try? write("\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
    try? SerialSettings.restore(settings)
  }
}
