/// What stands for infinities and NaN, for which JSON has no number.
package enum JSONNonConformingFloats: Sendable {
  /// Nothing: reading and writing fail.
  case `throw`
  /// These strings.
  case strings(positiveInfinity: String, negativeInfinity: String, nan: String)
}
