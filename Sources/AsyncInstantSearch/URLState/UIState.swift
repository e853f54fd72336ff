/// The state of a search screen by index, for URLs and for restoring a session.
///
/// Widgets read and change ``IndexState`` instead.
///
/// ```swift
/// var state = UIState()
/// state["products"].query = "phone"
/// state["products"].refinementList["brand"] = ["Apple"]
/// state.query()  // products%5Bquery%5D=phone&products%5BrefinementList%5D%5Bbrand%5D…
/// ```
///
/// An index with nothing set equals an absent index. An absent key means its default, so applying a
/// state clears all absent values.
///
/// As JSON it is the object that the web library uses:
/// `{"products": {"query": "phone", "page": 2}}`.
///
/// ## Laws
///
/// 1. Reading a written state returns an equal state, except for ``IndexUIState/configure``, which
///    is never in a URL.
/// 2. A key that is absent in a URL has its default in the state.
/// 3. A key without a property is kept in ``IndexUIState/additional`` and written again.
/// 4. Whatever cannot be read is reported as a ``Problem``. Nothing fails.
public struct UIState: Hashable, Sendable {
  private var states: [String: IndexUIState] = [:]

  /// Creates a state with nothing set.
  public init() {}

  /// The state of an index. It has only defaults if nothing is set.
  public subscript(indexID: String) -> IndexUIState {
    get { states[indexID] ?? IndexUIState() }
    set { states[indexID] = newValue.isEmpty ? nil : newValue }
  }

  /// The sorted IDs of the indices that have something set.
  public var indexIDs: [String] { states.keys.sorted() }

  /// Whether nothing is set.
  public var isEmpty: Bool { states.isEmpty }
}

extension UIState {
  /// A part of a URL that was not read.
  public struct Problem: Hashable, Sendable {
    /// The names that lead to the value, such as `["products", "page"]`. Empty for the whole query.
    public var path: [String]
    /// The found value.
    public var text: String
    /// The expected form.
    public var expected: String

    /// Creates a problem.
    public init(path: [String], text: String, expected: String) {
      self.path = path
      self.text = text
      self.expected = expected
    }
  }
}

extension UIState.Problem: CustomStringConvertible {
  /// The names, the found value and the expected form, on one line. Only the beginnings of long
  /// names and texts are shown, and control characters are escaped.
  public var description: String {
    let names = path.dropFirst().map { "[\($0)]" }.joined()
    let location = Self.shortened((path.first ?? "query") + names)
    return "\(location): found \"\(Self.shortened(text))\", expected \(expected)"
  }

  private static func shortened(_ text: String) -> String {
    let scalars = text.unicodeScalars.prefix(100).map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: scalar.escaped(asASCII: true)
      default: String(scalar)
      }
    }
    return scalars.joined()
  }
}
