#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  /// Shows a hit in a cell of a table.
  ///
  /// ```swift
  /// struct FilmCell: TableViewCellConfigurable {
  ///   let model: Film
  ///
  ///   init(model: Film, indexPath: IndexPath) { self.model = model }
  ///
  ///   func configure(_ cell: UITableViewCell) { cell.textLabel?.text = model.title }
  /// }
  /// ```
  ///
  /// See ``HitsTableViewController``.
  @MainActor
  public protocol TableViewCellConfigurable: CellConfigurable {
    /// The class of the cells; they are made by `init(style:reuseIdentifier:)`, in the default
    /// style.
    associatedtype Cell: UITableViewCell

    /// Shows the hit. The cell may have shown another one before.
    func configure(_ cell: Cell)
  }
#endif
