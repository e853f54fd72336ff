// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals

// A stand-in for the controls of Apple's SwiftUI; see View.swift.

public nonisolated struct Button<Label: View>: View {
  @preconcurrency
  public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) { stub() }
  public typealias Body = Never
  @MainActor public var body: Never { stub() }
}

extension Button where Label == Text {
  @preconcurrency
  public nonisolated init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {
    stub()
  }
  @_disfavoredOverload @preconcurrency
  public nonisolated init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {
    stub()
  }
}

public nonisolated struct Toggle<Label: View>: View {
  public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) { stub() }
  public typealias Body = Never
  @MainActor public var body: Never { stub() }
}

extension Toggle where Label == Text {
  public nonisolated init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) { stub() }
}

public nonisolated struct Picker<Label: View, SelectionValue: Hashable, Content: View>: View {
  public init(
    selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content,
    @ViewBuilder label: () -> Label
  ) { stub() }
  public typealias Body = Never
  @MainActor public var body: Never { stub() }
}

extension Picker where Label == Text {
  public nonisolated init(
    _ titleKey: LocalizedStringKey, selection: Binding<SelectionValue>,
    @ViewBuilder content: () -> Content
  ) { stub() }
}

// Not available on tvOS.
public nonisolated struct Slider<Label: View, ValueLabel: View>: View {
  public typealias Body = Never
  @MainActor public var body: Never { stub() }
}

extension Slider where ValueLabel == EmptyView {
  public nonisolated init<V: BinaryFloatingPoint>(
    value: Binding<V>, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Label,
    onEditingChanged: @escaping (Bool) -> Void = { _ in }
  ) where V.Stride: BinaryFloatingPoint { stub() }
}

public nonisolated struct TextField<Label: View>: View {
  public typealias Body = Never
  @MainActor public var body: Never { stub() }
}

extension TextField where Label == Text {
  public nonisolated init(_ titleKey: LocalizedStringKey, text: Binding<String>) { stub() }
}

public nonisolated protocol PrimitiveButtonStyle {}

public nonisolated struct PlainButtonStyle: PrimitiveButtonStyle {}
public nonisolated struct BorderlessButtonStyle: PrimitiveButtonStyle {}
public nonisolated struct BorderedButtonStyle: PrimitiveButtonStyle {}

extension PrimitiveButtonStyle where Self == PlainButtonStyle {
  public static var plain: PlainButtonStyle { stub() }
}

extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
  public static var borderless: BorderlessButtonStyle { stub() }
}

extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
  public static var bordered: BorderedButtonStyle { stub() }
}

public nonisolated protocol PickerStyle {}

public nonisolated struct MenuPickerStyle: PickerStyle {}

extension PickerStyle where Self == MenuPickerStyle {
  public static var menu: MenuPickerStyle { stub() }
}

public struct SubmitLabel: Sendable {
  public static var done: SubmitLabel { stub() }
  public static var search: SubmitLabel { stub() }
}

public struct SubmitTriggers: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  public static let text = SubmitTriggers(rawValue: 1)
  public static let search = SubmitTriggers(rawValue: 2)
}

extension View {
  public nonisolated func disabled(_ disabled: Bool) -> some View { EmptyView() }
  public nonisolated func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View {
    EmptyView()
  }
  public nonisolated func pickerStyle<S: PickerStyle>(_ style: S) -> some View { EmptyView() }
  public nonisolated func tag<V: Hashable>(_ tag: V, includeOptional: Bool = true) -> some View {
    EmptyView()
  }
  public nonisolated func focused(_ condition: FocusState<Bool>.Binding) -> some View {
    EmptyView()
  }
  public nonisolated func submitLabel(_ submitLabel: SubmitLabel) -> some View { EmptyView() }
  public nonisolated func onSubmit(
    of triggers: SubmitTriggers = .text, _ action: @escaping () -> Void
  ) -> some View { EmptyView() }
  public nonisolated func autocorrectionDisabled(_ disable: Bool = true) -> some View {
    EmptyView()
  }
}
