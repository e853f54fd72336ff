// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals

// A stand-in for the text attributes of Apple's SwiftUI; see View.swift.

public struct Font: Hashable, Sendable {
  public static let headline = Font()
  public static let body = Font()
  public func bold() -> Font { stub() }

  public struct Weight: Hashable, Sendable {
    public static let regular = Font.Weight()
    public static let bold = Font.Weight()
  }
}

extension AttributeScopes {
  public var swiftUI: SwiftUIAttributes.Type { SwiftUIAttributes.self }

  public struct SwiftUIAttributes: AttributeScope {
    public let font: FontAttribute

    public enum FontAttribute: AttributedStringKey {
      public typealias Value = Font
      public static let name = "SwiftUI.Font"
    }
  }
}

extension AttributeDynamicLookup {
  public subscript<T: AttributedStringKey>(
    dynamicMember keyPath: KeyPath<AttributeScopes.SwiftUIAttributes, T>
  ) -> T { stub() }
}
