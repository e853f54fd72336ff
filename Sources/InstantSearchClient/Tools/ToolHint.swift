/// Advice on the next call: a reason that a program can read, and a sentence for a model. It has no
/// text of a record.
struct ToolHint: Sendable {
  /// What a result lacks.
  enum Reason: String, Sendable {
    /// There are more pages.
    case moreHits = "more_hits"
    /// The page is beyond the last one.
    case noSuchPage = "no_such_page"
    /// Not all hits of the page fit.
    case hitsLeftOut = "hits_left_out"
    /// Long values are cut.
    case textsCut = "texts_cut"
    /// No record has a value that a filter names.
    case unknownValue = "unknown_value"
    /// No record has all values of a filter.
    case valuesExclude = "values_exclude"
    /// The text matches records that the filters exclude.
    case filtersExclude = "filters_exclude"
    /// The text matches no record, with or without filters.
    case unknownText = "unknown_text"
    /// The filters match no record, with any text.
    case filtersMatchNothing = "filters_match_nothing"
    /// There are no hits, for a reason that cannot be found.
    case noHits = "no_hits"
    /// There are no records.
    case noRecords = "no_records"
  }

  private let reason: Reason
  private let argument: String?
  private let message: String

  init(_ reason: Reason, argument: String? = nil, _ message: String) {
    self.reason = reason
    self.argument = argument
    self.message = message
  }

  var json: JSON {
    var members: [String: JSON] = [
      "reason": .string(reason.rawValue), "message": .string(message),
    ]
    if let argument { members["argument"] = .string(argument) }
    return .object(members)
  }
}
