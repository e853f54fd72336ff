import InstantSearchAPI
import LocalSearch

/// The records that rules put at fixed positions, or hide, in one search.
struct Curation: Sendable, Hashable {
  private var pinned: [(id: String, position: Int)] = []
  private var hidden: [String] = []

  /// Creates an empty curation.
  init() {}

  static func == (left: Self, right: Self) -> Bool { left.parameters == right.parameters }
  func hash(into hasher: inout Hasher) { hasher.combine(parameters) }

  /// Applies rules to a search.
  ///
  /// - Parameter now: The number of milliseconds since 1970.
  init(
    of search: ForeignSearch, _ rules: [Rule], now: Int64, _ check: CancellationCheck
  ) throws {
    guard !rules.isEmpty, Self.isEnabled(search) else { return }
    let words = search.plan.words.map(\.word)
    let contexts = Set(search.query.ruleContexts ?? [])
    for rule in rules where rule.enabled ?? true {
      try check.count()
      let seconds = Int(now / 1000)
      let isValid =
        rule.validity.isEmpty
        || rule.validity.contains { ($0.from ?? .min) <= seconds && seconds <= ($0.until ?? .max) }
      let holds =
        try rule.conditions.isEmpty
        || rule.conditions.contains { condition in
          try Self.holds(condition, words, contexts, search.settings, check)
        }
      guard isValid, holds else { continue }
      for promotion in rule.consequence.promote {
        guard (0..<Self.maximumPosition).contains(promotion.position) else { continue }
        for (offset, id) in promotion.objectIDs.prefix(Self.maximumPosition).enumerated()
        where !pinned.contains(where: { $0.id == id }) {
          // The server shows one record at a position.
          var position = promotion.position + offset
          while pinned.contains(where: { $0.position == position }) { position += 1 }
          pinned.append((id, position))
        }
      }
      hidden += rule.consequence.hide.filter { !hidden.contains($0) }
    }
  }

  private static func isEnabled(_ search: ForeignSearch) -> Bool {
    search.query.enableRules ?? search.settings.additionalSettings["enableRules"]?.boolValue ?? true
  }

  private static func holds(
    _ condition: Rule.Condition, _ words: [String], _ contexts: Set<String>,
    _ settings: IndexSettings, _ check: CancellationCheck
  ) throws -> Bool {
    if let context = condition.context, !contexts.contains(context) { return false }
    guard let pattern = condition.pattern else { return true }
    let wanted = try ForeignEntries.words(of: pattern, settings: settings, check)
    switch condition.anchoring ?? .is {
    case .is: return words == wanted
    case .startsWith: return words.starts(with: wanted)
    case .endsWith: return words.reversed().starts(with: wanted.reversed())
    case .contains:
      guard wanted.count <= words.count else { return false }
      return (0...words.count - wanted.count).contains {
        words[$0..<$0 + wanted.count].elementsEqual(wanted)
      }
    }
  }

  /// The parameters of a search of the server.
  var parameters: [String: JSON] {
    var parameters: [String: JSON] = [:]
    if !pinned.isEmpty {
      parameters["pinned_hits"] = .string(
        pinned.map { "\(DocumentID.text(of: $0.id)):\($0.position + 1)" }.joined(separator: ","))
    }
    if !hidden.isEmpty {
      parameters["hidden_hits"] = .string(
        hidden.map(DocumentID.text).joined(separator: ","))
    }
    return parameters
  }

  /// The number of positions that a record can be promoted to.
  private static let maximumPosition = 1000

  /// Rejects rules with conditions and consequences that are not possible here.
  static func check(_ rules: [Rule]) throws(APIError) {
    for rule in rules {
      func refuse(_ part: String, _ advice: String) -> APIError {
        APIError(
          "The rule \(rule.objectID) has \(part), which is not possible on this cluster: \(advice)")
      }
      for condition in rule.conditions {
        if condition.pattern?.contains("{facet:") ?? false {
          throw refuse("a facet in a pattern", "write the words of the query")
        }
        if condition.alternatives == true {
          throw refuse("alternatives", "write a condition for each")
        }
        if condition.filters != nil { throw refuse("filters in a condition", "use a context") }
      }
      let consequence = rule.consequence
      for promotion in consequence.promote {
        guard promotion.position >= 0, promotion.objectIDs.count <= maximumPosition,
          promotion.position <= maximumPosition - promotion.objectIDs.count
        else {
          throw refuse(
            "a promotion beyond the position \(maximumPosition - 1)", "promote to the first pages")
        }
      }
      guard
        !(consequence.promote.flatMap(\.objectIDs) + consequence.hide).contains(where: \.isEmpty)
      else { throw refuse("an empty objectID", "name records") }
      if !consequence.parameters.isEmpty {
        throw refuse("params", "promote and hide records, and set parameters in the program")
      }
      if consequence.userData != nil { throw refuse("userData", "use the setting userData") }
      if consequence.filterPromotes == true {
        throw refuse("filterPromotes", "promoted records are shown regardless of filters")
      }
    }
  }
}
