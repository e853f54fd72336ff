// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Keys of a keyboard, and modifiers as types.

public struct KeyEquivalent: Sendable {
  public static let downArrow = KeyEquivalent()
  public static let upArrow = KeyEquivalent()
  public static let escape = KeyEquivalent()
}

public struct KeyPress: Sendable {
  public enum Result: Sendable {
    case handled
    case ignored
  }
}

public struct ModifierContent: View {
  public var body: some View { EmptyView() }
}

@MainActor
public protocol ViewModifier {
  associatedtype Body: View
  typealias Content = ModifierContent
  @ViewBuilder func body(content: Content) -> Body
}

extension View {
  public nonisolated func onKeyPress(
    _ key: KeyEquivalent, action: @escaping () -> KeyPress.Result
  ) -> some View { EmptyView() }
  public nonisolated func modifier<T>(_ modifier: T) -> some View { EmptyView() }
}
