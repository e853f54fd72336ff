#if canImport(UIKit) && !os(watchOS)
  public import UIKit

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
#endif
