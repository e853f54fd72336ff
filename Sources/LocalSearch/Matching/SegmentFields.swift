/// Which fields of a segment a match may be in; `nil` means all.
struct SegmentFields: Sendable {
  /// The fields that are searched.
  let searched: Bitmap?
  /// Those of them in which Exact looks.
  let exact: Bitmap?
  private let typo: Bitmap?
  private let prefix: Bitmap?
  private let typoAndPrefix: Bitmap?
  /// Whether some fields take whole words only, so that these are to be looked up apart.
  let hasPrefixFreeFields: Bool

  /// Works out the fields for the options of a query.
  init(
    _ fields: [TextField], options: MatchingOptions, _ checkpoint: Checkpoint
  ) throws {
    let none = Bitmap(count: fields.count)
    var (searched, exact, typo, prefix, typoAndPrefix) = (none, none, none, none, none)
    for (index, field) in fields.enumerated() {
      try checkpoint.count()
      let path = field.path
      guard try options.restrictedAttributes.covers(path, checkpoint),
        options.placeLanguage?.includes(path) ?? true
      else { continue }
      let allowsTypos = try !options.typoFreeAttributes.covers(path, checkpoint)
      let allowsPrefixes = try !options.prefixFreeAttributes.covers(path, checkpoint)
      searched[index] = true
      exact[index] = try !options.exactFreeAttributes.covers(path, checkpoint)
      typo[index] = allowsTypos
      prefix[index] = allowsPrefixes
      typoAndPrefix[index] = allowsTypos && allowsPrefixes
    }
    func unlessAll(_ set: Bitmap) -> Bitmap? {
      set.cardinality == fields.count ? nil : set
    }
    self.searched = unlessAll(searched)
    self.exact = unlessAll(exact)
    self.typo = unlessAll(typo)
    self.prefix = unlessAll(prefix)
    self.typoAndPrefix = unlessAll(typoAndPrefix)
    hasPrefixFreeFields = self.prefix != self.searched
  }

  /// Returns the fields in which a match of this kind counts.
  func allowed(typos: Int, isPrefix: Bool) -> Bitmap? {
    switch (typos > 0, isPrefix) {
    case (false, false): searched
    case (true, false): typo
    case (false, true): prefix
    case (true, true): typoAndPrefix
    }
  }
}
