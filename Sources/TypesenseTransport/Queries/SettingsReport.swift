import InstantSearchAPI
import InstantSearchJSON
import LocalSearch

/// What becomes of the settings of an index on a cluster.
///
/// Ask for it before an index moves. A transport accepts settings without ``refusals``, and
/// refuses others with the text of the first one.
///
/// ```swift
/// let report = SettingsReport(settings)
/// for refusal in report.refusals { print(refusal) }
/// ```
public struct SettingsReport: Sendable, Hashable {
  /// A setting, and what becomes of it.
  public struct Entry: Sendable, Hashable, CustomStringConvertible {
    /// The name of the setting.
    public let name: String
    /// The difference, or what to do instead.
    public let text: String

    /// The name and the text.
    public var description: String { "\(name): \(text)" }
  }

  /// The settings whose effect differs from the contract's, by name.
  public internal(set) var differences: [Entry] = []

  /// The settings that a transport refuses, by name.
  public internal(set) var refusals: [Entry] = []

  init() {}

  /// Reports what becomes of settings.
  init(_ settings: IndexSettings) {
    let defaults = (try? JSON(encoding: IndexSettings())) ?? [:]
    let values = (try? JSON(encoding: settings))?.objectValue ?? [:]
    for (name, value) in values.sorted(by: { $0.key < $1.key }) where value != defaults[name] {
      if let advice = Mapping.refusal(of: value, named: name, in: .setting) {
        refusals.append(Entry(name: name, text: advice))
      } else if case .differs(let note)? = Mapping.named(name, in: .setting)?.state {
        differences.append(Entry(name: name, text: note))
      } else if Mapping.named(name, in: .setting) == nil {
        refusals.append(
          Entry(name: name, text: "there is no setting of this name"))
      }
    }
    func refuse(_ name: String, _ text: String) {
      refusals.append(Entry(name: name, text: text))
    }
    if settings.queryType == .prefixAll { refuse("queryType", "use prefixLast") }
    if settings.exactOnSingleWordQuery == .word {
      refuse("exactOnSingleWordQuery", "use attribute or none")
    }
    if settings.typoTolerance == .strict { refuse("typoTolerance", "use min or true") }
    do throws(APIError) {
      try SortOrder.check(settings)
      if (try? SortOrder.check(settings, point: Point(latitude: 0, longitude: 0))) == nil {
        differences.append(
          Entry(
            name: "ranking",
            text: "searches by words that have aroundLatLng or optionalFilters too are refused,"
              + " because the server accepts three criteria of order; use insideBoundingBox, or"
              + " customRanking alone"))
      }
    } catch {
      refuse("ranking", error.message)
    }
    refusals.sort { $0.name < $1.name }
  }
}
