// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals

// A stand-in for localized texts, shapes and accessibility of Apple's SwiftUI; see View.swift.

// It is not Sendable.
@frozen
public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
  public init(_ value: String) { stub() }
  public init(stringLiteral value: String) { stub() }
  public init(stringInterpolation: LocalizedStringKey.StringInterpolation) { stub() }

  public struct StringInterpolation: StringInterpolationProtocol {
    public init(literalCapacity: Int, interpolationCount: Int) { stub() }
    public mutating func appendLiteral(_ literal: String) { stub() }
    public mutating func appendInterpolation(_ string: String) { stub() }
    public mutating func appendInterpolation<T: _FormatSpecifiable>(_ value: T) { stub() }
    public mutating func appendInterpolation(_ text: Text) { stub() }
  }
}

public protocol _FormatSpecifiable: Equatable {}

extension Int: _FormatSpecifiable {}
extension Double: _FormatSpecifiable {}

public nonisolated protocol Shape: View {}

public nonisolated struct Rectangle: Shape {
  public init() {}
  public typealias Body = Never
  @MainActor public var body: Never { stub() }
}

public nonisolated protocol ShapeStyle: Sendable {}

public nonisolated struct HierarchicalShapeStyle: ShapeStyle {}

extension ShapeStyle where Self == HierarchicalShapeStyle {
  public static var secondary: HierarchicalShapeStyle { stub() }
}

// It is not an OptionSet.
public struct AccessibilityTraits: SetAlgebra, Sendable {
  public static let isButton = AccessibilityTraits()
  public static let isHeader = AccessibilityTraits()
  public static let isSelected = AccessibilityTraits()
  public static let isSearchField = AccessibilityTraits()
  public static let updatesFrequently = AccessibilityTraits()

  public typealias Element = AccessibilityTraits
  public init() {}
  public func contains(_ member: AccessibilityTraits) -> Bool { stub() }
  public func union(_ other: AccessibilityTraits) -> AccessibilityTraits { stub() }
  public func intersection(_ other: AccessibilityTraits) -> AccessibilityTraits { stub() }
  public func symmetricDifference(_ other: AccessibilityTraits) -> AccessibilityTraits { stub() }
  public mutating func insert(
    _ newMember: AccessibilityTraits
  ) -> (inserted: Bool, memberAfterInsert: AccessibilityTraits) { stub() }
  public mutating func remove(_ member: AccessibilityTraits) -> AccessibilityTraits? { stub() }
  public mutating func update(with newMember: AccessibilityTraits) -> AccessibilityTraits? {
    stub()
  }
  public mutating func formUnion(_ other: AccessibilityTraits) { stub() }
  public mutating func formIntersection(_ other: AccessibilityTraits) { stub() }
  public mutating func formSymmetricDifference(_ other: AccessibilityTraits) { stub() }
}

public struct AccessibilityChildBehavior: Hashable {
  public static var ignore: AccessibilityChildBehavior { stub() }
  public static var contain: AccessibilityChildBehavior { stub() }
  public static var combine: AccessibilityChildBehavior { stub() }
}

extension View {
  public nonisolated func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View {
    EmptyView()
  }
  public nonisolated func contentShape<S: Shape>(_ shape: S, eoFill: Bool = false) -> some View {
    EmptyView()
  }
  public nonisolated func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View { EmptyView() }

  public nonisolated func accessibilityElement(
    children: AccessibilityChildBehavior = .ignore
  ) -> some View { EmptyView() }
  public nonisolated func accessibilityHidden(_ hidden: Bool) -> some View { EmptyView() }
  public nonisolated func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View {
    EmptyView()
  }
  public nonisolated func accessibilityLabel(_ label: Text) -> some View { EmptyView() }
  public nonisolated func accessibilityLabel(_ labelKey: LocalizedStringKey) -> some View {
    EmptyView()
  }
  @_disfavoredOverload
  public nonisolated func accessibilityLabel<S: StringProtocol>(_ label: S) -> some View {
    EmptyView()
  }
  public nonisolated func accessibilityValue(_ value: Text) -> some View { EmptyView() }
  public nonisolated func accessibilityValue(_ valueKey: LocalizedStringKey) -> some View {
    EmptyView()
  }
  @_disfavoredOverload
  public nonisolated func accessibilityValue<S: StringProtocol>(_ value: S) -> some View {
    EmptyView()
  }
  public nonisolated func accessibilityHint(_ hintKey: LocalizedStringKey) -> some View {
    EmptyView()
  }
}
