/// The values of the textual criteria for a matching document.
package struct MatchScore: Sendable, Hashable {
  /// The typos of all matched words together.
  package var typos = 0
  /// The number of query words matched.
  package var words = 0
  /// The sum of the distances between adjacent query words, or 0 for one word.
  package var proximity = 0
  /// The rank of the best attribute.
  package var attribute = 0
  /// The position of the word in that attribute, or 0 if positions do not count.
  package var position = 0
  /// The number of exact words.
  package var exact = 0
}
