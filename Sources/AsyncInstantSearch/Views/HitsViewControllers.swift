#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  /// A table of hits in one section.
  ///
  /// ```swift
  /// typealias FilmsViewController = HitsTableViewController<FilmCell>
  ///
  /// let films = FilmsViewController()
  /// interactor.connectController(films)
  /// ```
  ///
  /// Each cell that is shown presents its row, so that the pages around it are loaded. A row
  /// without a hit, because its page is not loaded or the hit does not fit, has a cell that is not
  /// configured.
  ///
  /// Subclass it to do more, for example when a row is selected; to show rows without a hit in
  /// another way, override `tableView(_:cellForRowAt:)` and ask ``hitsSource`` first.
  open class HitsTableViewController<CellConfigurator: TableViewCellConfigurable>:
    UITableViewController, HitsController
  {
    /// The interactor whose hits these are; set by the connection, and not held.
    public weak var hitsSource: HitsInteractor<CellConfigurator.Model>?

    /// Registers the cells.
    open override func viewDidLoad() {
      super.viewDidLoad()
      for identifier in [CellConfigurator.cellIdentifier, CellConfigurator.emptyCellIdentifier] {
        tableView.register(CellConfigurator.Cell.self, forCellReuseIdentifier: identifier)
      }
    }

    /// Reads the rows again, if the table is there already.
    open func reload() {
      guard isViewLoaded else { return }
      tableView.reloadData()
    }

    /// Goes to the top of the table.
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

  /// A collection of hits in one section.
  ///
  /// ```swift
  /// let films = HitsCollectionViewController<FilmTile>(
  ///   collectionViewLayout: UICollectionViewFlowLayout())
  /// interactor.connectController(films)
  /// ```
  ///
  /// Each cell that is shown presents its row, so that the pages around it are loaded. A row
  /// without a hit, because its page is not loaded or the hit does not fit, has a cell that is not
  /// configured.
  ///
  /// Subclass it to do more, for example when a cell is selected; to show rows without a hit in
  /// another way, override `collectionView(_:cellForItemAt:)` and ask ``hitsSource`` first.
  open class HitsCollectionViewController<CellConfigurator: CollectionViewCellConfigurable>:
    UICollectionViewController, HitsController
  {
    /// The interactor whose hits these are; set by the connection, and not held.
    public weak var hitsSource: HitsInteractor<CellConfigurator.Model>?

    /// Registers the cells.
    open override func viewDidLoad() {
      super.viewDidLoad()
      for identifier in [CellConfigurator.cellIdentifier, CellConfigurator.emptyCellIdentifier] {
        collectionView.register(CellConfigurator.Cell.self, forCellWithReuseIdentifier: identifier)
      }
    }

    /// Reads the rows again, if the collection is there already.
    open func reload() {
      guard isViewLoaded else { return }
      collectionView.reloadData()
    }

    /// Goes to the top left corner; override it for a layout that begins elsewhere.
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
    /// Goes to the top left corner of the content, also when there is none.
    func scrollToStart() {
      let inset = adjustedContentInset
      setContentOffset(CGPoint(x: -inset.left, y: -inset.top), animated: false)
    }
  }

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
