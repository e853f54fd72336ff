#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension AttributedString {
  /// Creates a text whose marked parts have attributes, and the other parts none.
  ///
  /// ```swift
  /// Text(AttributedString(title, marking: AttributeContainer().font(.headline)))
  /// ```
  public init(_ highlighted: HighlightedString, marking attributes: AttributeContainer) {
    self.init()
    for segment in highlighted.segments {
      append(
        AttributedString(
          segment.text, attributes: segment.isHighlighted ? attributes : AttributeContainer()))
    }
  }
}
