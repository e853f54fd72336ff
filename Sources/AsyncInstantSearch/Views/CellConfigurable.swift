#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  /// Shows a hit in a cell; what is common to the cells of tables and of collections.
  ///
  /// Conform to ``TableViewCellConfigurable`` or ``CollectionViewCellConfigurable``.
  @MainActor
  public protocol CellConfigurable {
    /// The type of the hits.
    associatedtype Model: Decodable & Sendable

    /// Under which name cells are reused; the name of the type by default.
    static var cellIdentifier: String { get }

    /// Creates what shows a hit at a place.
    init(model: Model, indexPath: IndexPath)
  }

  extension CellConfigurable {
    /// The name of the type.
    public static var cellIdentifier: String { String(describing: Self.self) }

    /// Under which name the cells of rows without a hit are reused.
    ///
    /// They are kept apart: a cell that showed a hit would show it again.
    static var emptyCellIdentifier: String { cellIdentifier + " (empty)" }
  }
#endif
