/// Finds the name that a misspelt one was probably meant to be.
enum NearestName {
  /// Longer names are not compared.
  private static let maximumLength = 64
  /// How many names are looked at.
  private static let maximumCount = 1000

  /// `; did you mean "brand"?`, or nothing when no name is near.
  static func hint(for name: String, among names: some Sequence<String>) -> String {
    find(name, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
  }

  /// The nearest name, the first of equally near ones.
  ///
  /// A third of the letters may differ, at least one and at most three; upper and lower case are
  /// the same.
  static func find(_ name: String, among names: some Sequence<String>) -> String? {
    guard isShort(name) else { return nil }
    let wanted = Array(name.lowercased().utf8)
    guard !wanted.isEmpty, wanted.count <= maximumLength else { return nil }
    var best: (name: String, distance: Int)?
    for candidate in names.prefix(maximumCount) where isShort(candidate) && candidate != name {
      let letters = Array(candidate.lowercased().utf8)
      guard letters.count <= maximumLength else { continue }
      let distance = distance(wanted, letters)
      guard distance <= min(3, max(1, wanted.count / 3)), distance < best?.distance ?? .max else {
        continue
      }
      best = (candidate, distance)
    }
    return best?.name
  }

  /// Whether a name may be short enough in small letters, which have a third of the bytes at least.
  private static func isShort(_ name: String) -> Bool { name.utf8.count <= 3 * maximumLength }

  /// How many letters must be added, removed, changed or swapped with their neighbours.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var before = [Int](repeating: 0, count: right.count + 1)
    var previous = Array(0...right.count)
    for i in left.indices {
      var current = [i + 1]
      for j in right.indices {
        let change = previous[j] + (left[i] == right[j] ? 0 : 1)
        var value = min(change, previous[j + 1] + 1, current[j] + 1)
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
          value = min(value, before[j - 1] + 1)
        }
        current.append(value)
      }
      before = previous
      previous = current
    }
    return previous[right.count]
  }
}
