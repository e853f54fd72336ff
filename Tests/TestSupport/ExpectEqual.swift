package import Testing

/// Expects that two values are equal, and shows both where they are not.
///
/// The tests use it in place of `#expect(first == second)`, which takes the compiler seven times as
/// long and more: there are five thousand of them.
package func expectEqual<Value: Equatable>(
  _ first: Value, _ second: Value, _ comment: @autoclosure () -> Comment? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(first == second, comment(), sourceLocation: sourceLocation)
}
