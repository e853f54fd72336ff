/// The data that rules attach to the results, as values of a type.
///
/// For redirects and banners use ``RuleRedirect`` and ``RuleBanners``.
public struct RuleData<Value: Decodable & Sendable & Equatable>: SearchWidget {
  /// What rule data displays.
  public struct View: Sendable, Equatable {
    /// The first object that could be decoded; `nil` without one.
    public var value: Value?
  }

  /// Creates rule data.
  ///
  /// - Parameter type: The type of the data.
  public init(of type: Value.Type = Value.self) {}

  /// The first object of the rules' data that is a value.
  public func view(_ context: Context) -> View {
    let objects = context.results?.page.userData?.arrayValue ?? []
    return View(value: objects.lazy.compactMap { try? $0.decode(Value.self) }.first)
  }
}

/// The address to which a rule redirects the search.
///
/// Use it to follow a redirect that is configured with the index, for example from "returns"
/// to a page about returns.
public struct RuleRedirect: SearchWidget {
  /// What a redirect displays.
  public struct View: Sendable, Hashable {
    /// The address to show instead of the hits; `nil` without a redirect.
    public var url: String?
  }

  /// Creates a redirect.
  public init() {}

  /// The URL that a rule redirects to, if one does.
  public func view(_ context: Context) -> View {
    View(url: context.results?.page.renderingContent?.redirect?.url)
  }
}

/// The images that rules display beside the hits.
///
/// Use it to show banners that are configured with the index, without a change of the program.
public struct RuleBanners: SearchWidget {
  /// What banners display.
  public struct View: Sendable, Hashable {
    /// The banners, in order.
    public var banners: [RenderingContent.Banner] = []
  }

  /// Creates banners.
  public init() {}

  /// The banners of the rules of the newest results.
  public func view(_ context: Context) -> View {
    View(banners: context.results?.page.renderingContent?.widgets?.banners ?? [])
  }
}
