/// Keys and texts of random documents, chosen to match what types expect.
package enum Vocabulary {
  /// Keys: those of the decoded types, numbers, some with common prefixes, and some that need
  /// escapes. No two are equal under normalization or after snake-case conversion.
  package static let names = [
    "a", "b", "c", "id", "name", "value", "next", "legs", "breed", "lives", "base", "super", "fins",
    "children", "list", "map", "member", "date", "price", "1", "2", "-5", "one", "two", "three",
    "first_name", "home_towns", "zip_code", "_0", "_1", "Index 0", "", "none", "partial",
    "abcdefg", "abcdefgh", "abcdefgi", "abcdefghi", "abcdefghijklmnop", "abcdefghijklmnoq",
    "abcdefghijklmnopq", "abcdefghijklmnopqrstuvwx", "abcdefghijklmnopqrstuvwy",
    "abcdefghijklmnopqrstuvwxy", "xbcdefghijklmnopqrstuvwx", "a\"b", "a\\b", "a/b", "tab\t", "é",
    "日本語キー", "😀", "\u{1}", "\u{0}", "line\n", "\u{7F}",
  ]

  /// Strings that have a meaning for one of the types.
  package static let texts = [
    "", "a", "none", "partial", "full", "inf", "-inf", "nan", "AAEC", "aGVsbG8=", "%", "12", "true",
    "2024-02-29T23:59:59Z", "1969-12-31T00:00:00Z", "https://example.com/a?b=c#d", "a b",
    "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "Zürich", "東京 😀", "e\u{301}", "\"\\/\n\t\u{0}",
    "<em>Caf\u{E9}</em> \u{2028}", "first_name",
  ]

  /// Numbers of every kind that both decoders read alike.
  package static let numbers = [
    "0", "-0", "1", "-1", "2", "127", "128", "-128", "255", "256", "65535", "65536", "2147483647",
    "-2147483648", "4294967296", "9007199254740991", "9007199254740993", "9223372036854775807",
    "-9223372036854775808", "9223372036854775808", "18446744073709551615",
    "18446744073709551616", "0.5", "-1.25", "3.0", "12.50", "0.1", "1.5", "1700000000",
    "1700000000000", "3.14159", "16777217", "-2.5", "100",
  ]
}
