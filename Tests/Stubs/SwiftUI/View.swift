// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals

// A stand-in for Apple's SwiftUI on other platforms: only what the package's views and their
// examples use, with the signatures and isolation that Apple's documentation gives. It is only
// type-checked; nothing in it can run.

@_exported public import Combine
@_exported public import Foundation
@_exported public import Observation

@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: View {
  public typealias Body = Never
  public var body: Never { stub() }
}

extension Optional: View where Wrapped: View {
  public typealias Body = Never
  public var body: Never { stub() }
}

@resultBuilder
public struct ViewBuilder {
  public static func buildExpression<Content: View>(_ content: Content) -> Content { stub() }
  public static func buildBlock() -> EmptyView { stub() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { stub() }
  public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> TupleView<(repeat each Content)> { stub() }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { stub() }
  public static func buildEither<TrueContent: View, FalseContent: View>(
    first: TrueContent
  ) -> _ConditionalContent<TrueContent, FalseContent> { stub() }
  public static func buildEither<TrueContent: View, FalseContent: View>(
    second: FalseContent
  ) -> _ConditionalContent<TrueContent, FalseContent> { stub() }
}

public nonisolated struct TupleView<T>: View {
  public typealias Body = Never
  @MainActor public var body: Never { stub() }
}

public nonisolated struct _ConditionalContent<TrueContent: View, FalseContent: View>: View {
  public typealias Body = Never
  @MainActor public var body: Never { stub() }
}

extension View {
  public nonisolated func id<ID: Hashable>(_ id: ID) -> some View { EmptyView() }
  public nonisolated func onAppear(perform action: (() -> Void)? = nil) -> some View {
    EmptyView()
  }
  public nonisolated func onChange<V: Equatable>(
    of value: V, initial: Bool = false, _ action: @escaping () -> Void
  ) -> some View { EmptyView() }
  public nonisolated func onChange<V: Equatable>(
    of value: V, initial: Bool = false, _ action: @escaping (V, V) -> Void
  ) -> some View { EmptyView() }
  public nonisolated func frame(
    minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil,
    minHeight: CGFloat? = nil, idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil,
    alignment: Alignment = .center
  ) -> some View { EmptyView() }
  public nonisolated func searchable(
    text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
  ) -> some View { EmptyView() }
}

@frozen @propertyWrapper
public struct State<Value> {
  public init(wrappedValue value: Value) { stub() }
  public var wrappedValue: Value {
    get { stub() }
    nonmutating set {}
  }
  public var projectedValue: Binding<Value> { stub() }
}

@MainActor @preconcurrency @frozen @propertyWrapper
public struct ObservedObject<ObjectType: ObservableObject> {
  public init(wrappedValue: ObjectType) { stub() }
  public var wrappedValue: ObjectType
}

extension State: Sendable where Value: Sendable {}

@frozen @propertyWrapper
public struct Binding<Value> {
  public init(
    get: @escaping @isolated(any) @Sendable () -> Value,
    set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) { stub() }
  public init(
    get: @escaping @isolated(any) @Sendable () -> Value,
    set: @escaping @isolated(any) @Sendable (Value, Transaction) -> Void
  ) { stub() }
  public var wrappedValue: Value {
    get { stub() }
    nonmutating set {}
  }
  public var projectedValue: Binding<Value> { stub() }
}

public struct Transaction {
  public init() { stub() }
}

@frozen @propertyWrapper
public struct FocusState<Value: Hashable> {
  @frozen @propertyWrapper
  public struct Binding {
    let stored: Value
    public var wrappedValue: Value {
      get { stub() }
      nonmutating set {}
    }
    public var projectedValue: FocusState<Value>.Binding { stub() }
  }

  public init() where Value == Bool { stub() }
  public init<T: Hashable>() where Value == T? { stub() }
  public var wrappedValue: Value {
    get { stub() }
    nonmutating set {}
  }
  public var projectedValue: FocusState<Value>.Binding { stub() }
}

func stub() -> Never { fatalError("This SwiftUI is a stand-in for type-checking.") }
