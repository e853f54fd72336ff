#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  /// Shows a hit in a cell of a collection; as ``TableViewCellConfigurable``.
  ///
  /// See ``HitsCollectionViewController``.
  @MainActor
  public protocol CollectionViewCellConfigurable: CellConfigurable {
    /// The class of the cells; they are made by `init(frame:)`.
    associatedtype Cell: UICollectionViewCell

    /// Shows the hit. The cell may have shown another one before.
    func configure(_ cell: Cell)
  }
#endif
