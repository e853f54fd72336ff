extension HitsPage: CustomStringConvertible {
  /// One line with the index, the number of hits here and of all, and the page, such as
  /// `HitsPage(index: movies, hits: 2, nbHits: 42, page: 2)`; safe to log.
  public var description: String {
    var parts: [String] = []
    if let index = index ?? request?.indexName { parts.append("index: \(index)") }
    parts.append("hits: \(hits.count)")
    if !failures.isEmpty { parts.append("failures: \(failures.count)") }
    parts.append("nbHits: \(nbHits)")
    parts.append(offset.map { "offset: \($0)" } ?? "page: \(page)")
    return "HitsPage(\(parts.joined(separator: ", ")))"
  }
}

extension HitsPage: CustomReflectable {
  /// The hits, and the members that are set, by name; the user token that the server repeats among
  /// the parameters is not shown.
  public var customMirror: Mirror {
    var children: [Mirror.Child] = [("hits", hits), ("failures", failures), ("facets", facets)]
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      switch (HitsPageMember(rawValue: name), value) {
      case (.failures, _): continue
      case (.params, .string(let params)):
        children.append((name, PersonalData.masked(urlEncoded: params)))
      default: children.append((name, PersonalData.masked(value)))
      }
    }
    if let request { children.append(("request", request)) }
    children.append(("generation", generation))
    return Mirror(self, children: children, displayStyle: .struct)
  }
}
