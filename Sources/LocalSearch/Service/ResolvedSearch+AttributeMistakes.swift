import AsyncInstantSearch

extension ResolvedSearch {
  /// Parameters of the query that name attributes in vain.
  func noteAttributes(
    _ snapshot: Snapshot, _ checkpoint: Checkpoint, in mistakes: inout Mistakes
  ) throws {
    try noteRestriction(snapshot, checkpoint, in: &mistakes)
    let lists = [
      ("attributesToRetrieve", query.attributesToRetrieve),
      ("attributesToHighlight", query.attributesToHighlight),
    ]
    for (name, paths) in lists {
      guard let paths, !paths.contains("*") else { continue }
      for path in paths {
        try checkpoint.count(1 + snapshot.segmentCount)
        snapshot.noteMissing(path, of: name, in: &mistakes)
      }
    }
    for criterion in (query.ranking ?? settings.ranking).compactMap(SortCriterion.init) {
      try checkpoint.count(1 + snapshot.segmentCount)
      snapshot.noteMissing(criterion.attribute, of: "ranking", in: &mistakes)
    }
    if (query.distinct ?? settings.distinct).hitsPerGroup > 0, settings.attributeForDistinct == nil
    {
      mistakes.note("distinct has no effect without the setting attributeForDistinct")
    }
  }

  private func noteRestriction(
    _ snapshot: Snapshot, _ checkpoint: Checkpoint, in mistakes: inout Mistakes
  ) throws {
    let searched = SearchableAttributes(settings.searchableAttributes)
    for path in query.restrictSearchableAttributes ?? [] where path != "*" {
      try checkpoint.count(1 + snapshot.segmentCount)
      if !searched.mayContain(path) {
        mistakes.note(
          "restrictSearchableAttributes: \"\(path)\" is not searched"
            + NearestName.hint(for: path, among: searched.paths))
      } else {
        snapshot.noteMissing(path, of: "restrictSearchableAttributes", in: &mistakes)
      }
    }
  }
}
