import AsyncInstantSearch

extension ResolvedSearch {
  /// Notes parameters of the query whose names of attributes can have no effect.
  ///
  /// - Parameter isBesideSettings: Whether the mistakes of the settings are noted, too: what the
  ///   query repeats of them is noted once.
  func noteAttributes(
    _ snapshot: Snapshot, isBesideSettings: Bool, _ checkpoint: Checkpoint,
    in mistakes: inout Mistakes
  ) throws {
    try noteRestriction(snapshot, checkpoint, in: &mistakes)
    let lists = [
      ("attributesToRetrieve", query.attributesToRetrieve),
      ("attributesToHighlight", query.attributesToHighlight),
    ]
    try noteSnippets(snapshot, checkpoint, in: &mistakes)
    for (name, paths) in lists {
      guard let paths, !paths.contains("*") else { continue }
      for path in paths {
        try checkpoint.count(1 + snapshot.segmentCount)
        try snapshot.noteMissing(path, of: name, checkpoint, in: &mistakes)
      }
    }
    if let ranking = query.ranking {
      let noted = isBesideSettings ? Set(settings.ranking) : []
      try snapshot.noteCriteria(
        ranking.filter { !noted.contains($0) }, of: "ranking", checkpoint, in: &mistakes)
    }
    let isKnown = isBesideSettings && settings.lacksAttribute(for: settings.distinct)
    if let distinct = query.distinct, !isKnown {
      settings.noteDistinct(distinct, in: &mistakes)
    }
  }

  private func noteSnippets(
    _ snapshot: Snapshot, _ checkpoint: Checkpoint, in mistakes: inout Mistakes
  ) throws {
    for entry in query.attributesToSnippet ?? [] {
      let path = SnippetList.parts(of: entry).path
      if path == "*" { continue }
      try checkpoint.count(1 + snapshot.segmentCount)
      try snapshot.noteMissing(path, of: "attributesToSnippet", checkpoint, in: &mistakes)
    }
  }

  private func noteRestriction(
    _ snapshot: Snapshot, _ checkpoint: Checkpoint, in mistakes: inout Mistakes
  ) throws {
    guard let paths = query.restrictSearchableAttributes, !paths.isEmpty else { return }
    let searched = try snapshot.lists(checkpoint).searchable
    for path in paths where path != "*" {
      try checkpoint.count(1 + snapshot.segmentCount)
      if try !searched.mayContain(path, checkpoint) {
        mistakes.note(
          "restrictSearchableAttributes: \"\(path)\" is not searched"
            + NearestName.hint(for: path, among: searched.paths))
      } else {
        try snapshot.noteMissing(
          path, of: "restrictSearchableAttributes", checkpoint, in: &mistakes)
      }
    }
  }
}
