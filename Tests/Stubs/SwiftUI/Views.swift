// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals

// A stand-in for views of Apple's SwiftUI; see View.swift.

public nonisolated struct EmptyView: View {
  public nonisolated init() {}
  public typealias Body = Never
  @MainActor public var body: Never { stub() }
}

public nonisolated struct Text: View {
  public init(verbatim content: String) { stub() }
  public init(_ attributedContent: AttributedString) { stub() }
  @_disfavoredOverload
  public init<S: StringProtocol>(_ content: S) { stub() }
  public typealias Body = Never
  @MainActor public var body: Never { stub() }
}

public nonisolated struct Divider: View {
  public init() {}
  public typealias Body = Never
  @MainActor public var body: Never { stub() }
}

public nonisolated struct VStack<Content: View>: View {
  public init(
    alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
    @ViewBuilder content: () -> Content
  ) { stub() }
  public typealias Body = Never
  @MainActor public var body: Never { stub() }
}

public nonisolated struct LazyVStack<Content: View>: View {
  public init(
    alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
    pinnedViews: PinnedScrollableViews = .init(), @ViewBuilder content: () -> Content
  ) { stub() }
  public typealias Body = Never
  @MainActor public var body: Never { stub() }
}

public nonisolated struct ScrollView<Content: View>: View {
  public init(_ axes: Axis.Set = .vertical, @ViewBuilder content: () -> Content) { stub() }
  public typealias Body = Never
  @MainActor public var body: Never { stub() }
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {}

extension ForEach: View where Content: View {
  public nonisolated init(
    _ data: Data, id: KeyPath<Data.Element, ID>,
    @ViewBuilder content: @escaping (Data.Element) -> Content
  ) { stub() }
  public typealias Body = Never
  public var body: Never { stub() }
}

public struct HorizontalAlignment: Equatable, Sendable {
  public static let leading = HorizontalAlignment()
  public static let center = HorizontalAlignment()
  public static let trailing = HorizontalAlignment()
}

public struct Alignment: Equatable, Sendable {
  public static let center = Alignment()
}

public struct SearchFieldPlacement: Sendable {
  public static let automatic = SearchFieldPlacement()
}

public struct PinnedScrollableViews: OptionSet, Sendable {
  public var rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
}

public enum Axis: Int8, Sendable {
  case horizontal, vertical

  public struct Set: OptionSet, Sendable {
    public let rawValue: Int8
    public init(rawValue: Int8) { self.rawValue = rawValue }
    public static let horizontal = Axis.Set(rawValue: 1)
    public static let vertical = Axis.Set(rawValue: 2)
  }
}
