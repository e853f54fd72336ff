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
#endif
