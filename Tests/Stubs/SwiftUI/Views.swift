// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals

// A stand-in for views of Apple's SwiftUI; see View.swift.

public nonisolated struct EmptyView: View {
  public nonisolated init() {}
  public typealias Body = Never
  @MainActor public var body: Never { stub() }
}

public nonisolated struct Text: View, Equatable, Sendable {
  public init(verbatim content: String) { stub() }
  public init(
    _ key: LocalizedStringKey, tableName: String? = nil, bundle: Bundle? = nil,
    comment: StaticString? = nil
  ) { stub() }
  public init<F: FormatStyle>(_ input: F.FormatInput, format: F)
  where F.FormatInput: Equatable, F.FormatOutput == String { stub() }
  public init(_ attributedContent: AttributedString) { stub() }
  @_disfavoredOverload
  public init<S: StringProtocol>(_ content: S) { stub() }
  public typealias Body = Never
  @MainActor public var body: Never { stub() }
}

extension Text {
  public func fontWeight(_ weight: Font.Weight?) -> Text { stub() }
}

public nonisolated struct Image: View, Equatable, Sendable {
  public init(systemName: String) { stub() }
  public typealias Body = Never
  @MainActor public var body: Never { stub() }
}

public nonisolated struct Spacer: View {
  public init(minLength: CGFloat? = nil) { stub() }
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

public nonisolated struct HStack<Content: View>: View {
  public init(
    alignment: VerticalAlignment = .center, spacing: CGFloat? = nil,
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

@MainActor @preconcurrency
public struct List<SelectionValue: Hashable, Content: View>: View {
  public typealias Body = Never
  public var body: Never { stub() }
}

extension List where SelectionValue == Never {
  public nonisolated init(@ViewBuilder content: () -> Content) { stub() }
}

public nonisolated struct Form<Content: View>: View {
  public init(@ViewBuilder content: () -> Content) { stub() }
  public typealias Body = Never
  @MainActor public var body: Never { stub() }
}

public struct Section<Parent, Content, Footer> {}

extension Section: View where Parent: View, Content: View, Footer: View {
  public typealias Body = Never
  public var body: Never { stub() }
}

extension Section where Parent == Text, Content: View, Footer == EmptyView {
  public nonisolated init(
    _ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content
  ) { stub() }
}

public struct HorizontalAlignment: Equatable, Sendable {
  public static let leading = HorizontalAlignment()
  public static let center = HorizontalAlignment()
  public static let trailing = HorizontalAlignment()
}

public struct VerticalAlignment: Equatable, Sendable {
  public static let top = VerticalAlignment()
  public static let center = VerticalAlignment()
  public static let bottom = VerticalAlignment()
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

public enum Edge: Int8, Sendable {
  case top, leading, bottom, trailing

  public struct Set: OptionSet, Sendable {
    public let rawValue: Int8
    public init(rawValue: Int8) { self.rawValue = rawValue }
    public static let top = Edge.Set(rawValue: 1)
    public static let leading = Edge.Set(rawValue: 2)
    public static let bottom = Edge.Set(rawValue: 4)
    public static let trailing = Edge.Set(rawValue: 8)
    public static let all: Edge.Set = [.top, .leading, .bottom, .trailing]
  }
}
