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
  init(_ fields: [TextField], options: MatchingOptions) {
    let isInLanguage = options.placeLanguage.map { language in
      fields.map { language.includes($0.path) }
    }
    func set(excluding excluded: AttributeList...) -> Bitmap? {
      var set = Bitmap(count: fields.count)
      for (index, field) in fields.enumerated() {
        set[index] =
          options.restrictedAttributes.covers(field.path)
          && isInLanguage?[index] ?? true
          && !excluded.contains { $0.covers(field.path) }
      }
      return set.cardinality == fields.count ? nil : set
    }
    searched = set()
    exact = set(excluding: options.exactFreeAttributes)
    typo = set(excluding: options.typoFreeAttributes)
    prefix = set(excluding: options.prefixFreeAttributes)
    typoAndPrefix = set(excluding: options.typoFreeAttributes, options.prefixFreeAttributes)
    hasPrefixFreeFields = prefix != searched
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
