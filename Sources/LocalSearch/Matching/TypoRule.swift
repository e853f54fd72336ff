/// What a match of a query word costs in typos.
///
/// The cost is the number of edits, plus one when the first characters differ. A word may have as
/// many edits as its allowance says, and with an allowance of one the first character must be
/// right.
package enum TypoRule {
  /// The greatest allowance.
  package static let maximumAllowance = 2

  /// Returns the cost of `edits`, or `nil` when they are too many.
  package static func cost(edits: Int, allowance: Int, isFirstCharacterRight: Bool) -> Int? {
    guard edits <= allowance else { return nil }
    if isFirstCharacterRight || edits == 0 { return edits }
    return allowance >= 2 ? edits + 1 : nil
  }
}
