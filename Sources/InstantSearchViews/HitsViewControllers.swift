#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  /// A table view controller for the hits of one interactor, in one section.
  ///
  /// ```swift
  /// typealias FilmsViewController = HitsTableViewController<FilmCell>
  ///
  /// let films = FilmsViewController()
  /// interactor.connectController(films)
  /// ```
  ///
  /// Each displayed cell notifies the interactor of its row, so that the pages around it are
  /// loaded. A row without a hit, because its page is not loaded or the hit does not match, has a
  /// cell that is not configured.
  ///
  /// Subclass it for further behavior, such as selecting a row. To display rows without a hit
  /// differently, override `tableView(_:cellForRowAt:)` and read ``hitsSource`` first.
  open class HitsTableViewController<CellConfigurator: TableViewCellConfigurable>:
    UITableViewController, HitsController
  {
    /// The interactor of the hits, set by the connection and not retained.
    public weak var hitsSource: HitsInteractor<CellConfigurator.Model>?

    /// Registers the cells.
    open override func viewDidLoad() {
      super.viewDidLoad()
      for identifier in [CellConfigurator.cellIdentifier, CellConfigurator.emptyCellIdentifier] {
        tableView.register(CellConfigurator.Cell.self, forCellReuseIdentifier: identifier)
      }
    }

    /// Reloads the rows, if the table is loaded.
    open func reload() {
      guard isViewLoaded else { return }
      tableView.reloadData()
    }

    /// Scrolls to the top of the table.
    open func scrollToTop() {
      guard isViewLoaded else { return }
      tableView.scrollToStart()
    }

    /// The number of rows, loaded or not.
    open override func tableView(
      _ tableView: UITableView, numberOfRowsInSection section: Int
    ) -> Int {
      hitsSource?.numberOfHits() ?? 0
    }

    /// The cell of a row, with its hit if it has one.
    open override func tableView(
      _ tableView: UITableView, cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell {
      guard let hit = hitsSource?.hit(atIndex: indexPath.row) else {
        return tableView.dequeueReusableCell(
          withIdentifier: CellConfigurator.emptyCellIdentifier, for: indexPath)
      }
      let cell = tableView.dequeueReusableCell(
        withIdentifier: CellConfigurator.cellIdentifier, for: indexPath)
      if let cell = cell as? CellConfigurator.Cell {
        CellConfigurator(model: hit, indexPath: indexPath).configure(cell)
      }
      return cell
    }
  }

  /// A collection view controller for the hits of one interactor, in one section.
  ///
  /// ```swift
  /// let films = HitsCollectionViewController<FilmTile>(
  ///   collectionViewLayout: UICollectionViewFlowLayout())
  /// interactor.connectController(films)
  /// ```
  ///
  /// Each displayed cell notifies the interactor of its row, so that the pages around it are
  /// loaded. A row without a hit, because its page is not loaded or the hit does not match, has a
  /// cell that is not configured.
  ///
  /// Subclass it for further behavior, such as selecting a cell. To display rows without a hit
  /// differently, override `collectionView(_:cellForItemAt:)` and read ``hitsSource`` first.
  open class HitsCollectionViewController<CellConfigurator: CollectionViewCellConfigurable>:
    UICollectionViewController, HitsController
  {
    /// The interactor of the hits, set by the connection and not retained.
    public weak var hitsSource: HitsInteractor<CellConfigurator.Model>?

    /// Registers the cells.
    open override func viewDidLoad() {
      super.viewDidLoad()
      for identifier in [CellConfigurator.cellIdentifier, CellConfigurator.emptyCellIdentifier] {
        collectionView.register(CellConfigurator.Cell.self, forCellWithReuseIdentifier: identifier)
      }
    }

    /// Reloads the rows, if the collection is loaded.
    open func reload() {
      guard isViewLoaded else { return }
      collectionView.reloadData()
    }

    /// Scrolls to the top left corner. Override it for a layout that begins elsewhere.
    open func scrollToTop() {
      guard isViewLoaded else { return }
      collectionView.scrollToStart()
    }

    /// The number of rows, loaded or not.
    open override func collectionView(
      _ collectionView: UICollectionView, numberOfItemsInSection section: Int
    ) -> Int {
      hitsSource?.numberOfHits() ?? 0
    }

    /// The cell of a row, with its hit if it has one.
    open override func collectionView(
      _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
      guard let hit = hitsSource?.hit(atIndex: indexPath.item) else {
        return collectionView.dequeueReusableCell(
          withReuseIdentifier: CellConfigurator.emptyCellIdentifier, for: indexPath)
      }
      let cell = collectionView.dequeueReusableCell(
        withReuseIdentifier: CellConfigurator.cellIdentifier, for: indexPath)
      if let cell = cell as? CellConfigurator.Cell {
        CellConfigurator(model: hit, indexPath: indexPath).configure(cell)
      }
      return cell
    }
  }

  extension UIScrollView {
    /// Scrolls to the top left corner of the content, also if it is empty.
    func scrollToStart() {
      let inset = adjustedContentInset
      setContentOffset(CGPoint(x: -inset.left, y: -inset.top), animated: false)
    }
  }

  /// Displays a hit in a cell: the common requirements for cells of tables and collections.
  ///
  /// Conform to ``TableViewCellConfigurable`` or ``CollectionViewCellConfigurable``.
  @MainActor
  public protocol CellConfigurable {
    /// The type of the hits.
    associatedtype Model: Decodable & Sendable

    /// The reuse identifier of the cells. Defaults to the name of the type.
    static var cellIdentifier: String { get }

    /// Creates the display of a hit at an index path.
    init(model: Model, indexPath: IndexPath)
  }

  extension CellConfigurable {
    /// The name of the type.
    public static var cellIdentifier: String { String(describing: Self.self) }

    /// The reuse identifier of cells for rows without a hit.
    ///
    /// These cells are separate, because a cell that displayed a hit would display it again.
    static var emptyCellIdentifier: String { cellIdentifier + " (empty)" }
  }

  /// Displays a hit in a collection view cell, as ``TableViewCellConfigurable`` does for tables.
  ///
  /// See ``HitsCollectionViewController``.
  @MainActor
  public protocol CollectionViewCellConfigurable: CellConfigurable {
    /// The class of the cells, which are created with `init(frame:)`.
    associatedtype Cell: UICollectionViewCell

    /// Displays the hit. The cell may have displayed another one before.
    func configure(_ cell: Cell)
  }

  /// Displays a hit in a table view cell.
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
    /// The class of the cells, which are created with `init(style:reuseIdentifier:)` in the
    /// default style.
    associatedtype Cell: UITableViewCell

    /// Displays the hit. The cell may have displayed another one before.
    func configure(_ cell: Cell)
  }
#endif
