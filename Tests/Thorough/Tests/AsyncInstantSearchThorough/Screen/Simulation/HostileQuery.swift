/// Queries of URLs that attackers write.
enum HostileQuery {
  private static let ids = words("products products inner offers __proto__ %00 -")
  private static let keys = words(
    """
    query page hitsPerPage sortBy refinementList menu hierarchicalMenu range numericMenu ratingMenu \
    toggle comparison filters geoSearch relevantSort showMore facetQuery configure autocomplete \
    __proto__ constructor %00 %
    """)
  private static let names = words(
    """
    - [brand] [color] [price] [price%3C] [rating] [isFree] [shelf] [deals] [mapped] [categories.lvl0] \
    [boundingBox] [query] [selection] [open] [brand][] [brand][0][1] [brand][99999999999999999999] \
    [__proto__][x] [ ] [brand [%00] [min] [price][min] [price][max] [a][b][c][d][e][f] [%F0%9F]
    """)
  private static let values = words(
    """
    x %00 %FF%C3%28 % %zz __proto__ NaN inf -inf 1e999 -1e308 9223372036854775807 \
    -9223372036854775808 18446744073709551616 5e-324 0x1p3 1e308:1e308 -1e308:1e308 NaN:inf 1:2:3 \
    91,181,-91,-181 90,180,-90,-180 NaN,NaN,NaN,NaN true 3 0 -1 Audio%20%3E%20Speakers %20%3E%20%3E \
    \\- Dell offers products 1 %F0%9F%98%80 %E2%80%AE a%0D%0Ab %C2%A0 -
    """)

  /// The words of a text; a dash is an empty one.
  private static func words(_ text: String) -> [String] {
    text.split(separator: " ").map { $0 == "-" ? "" : String($0) }
  }

  /// A parameter that no user writes, for a screen of the shop.
  static func parameter(_ random: SeededRandom) -> String {
    let bytes = (0..<random.number(below: 12)).map { _ in UInt8(random.number(below: 256)) }
    let deep = random.number(below: 30) == 0 ? String(repeating: "[x]", count: 2_000) : ""
    let value =
      random.number(below: 8) == 0
      ? String(decoding: bytes, as: UTF8.self) : random.any(values) ?? ""
    let key = "\(random.any(ids) ?? "")[\(random.any(keys) ?? "")]\(random.any(names) ?? "")"
    return "\(key)\(deep)=\(value)"
  }
}
