#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  /// A table view controller for the values of a facet, each of which is selected with a tap.
  ///
  /// ```swift
  /// let genres = FacetListTableViewController()
  /// let connector = WidgetConnector(
  ///   searcher: searcher, widget: FacetList(attribute: "genres"), controller: genres)
  /// ```
  ///
  /// The last row displays more values, if there are more. Subclass the controller to configure the
  /// cells differently.
  open class FacetListTableViewController: UITableViewController, WidgetController {
    /// The interactor of the widget, set by the connection and not retained.
    public weak var widgetSource: WidgetInteractor<FacetList>?

    /// The displayed values.
    public private(set) var facetList = FacetList.View.empty

    private static let cellIdentifier = "FacetList"

    /// Registers the cells.
    open override func viewDidLoad() {
      super.viewDidLoad()
      tableView.register(UITableViewCell.self, forCellReuseIdentifier: Self.cellIdentifier)
    }

    /// Reloads the rows, if the table is loaded.
    open func update(_ view: FacetList.View) {
      facetList = view
      if isViewLoaded { tableView.reloadData() }
    }

    /// Displays a value in a cell, which may have displayed another value before.
    open func configure(_ cell: UITableViewCell, with item: FacetItem) {
      var content = UIListContentConfiguration.valueCell()
      content.text = item.value
      content.secondaryText = item.count?.formatted()
      cell.contentConfiguration = content
      cell.accessoryType = item.isRefined ? .checkmark : .none
      cell.accessibilityTraits = item.isRefined ? [.button, .selected] : .button
    }

    /// The number of values, plus one row if more or fewer can be displayed.
    open override func tableView(
      _ tableView: UITableView, numberOfRowsInSection section: Int
    ) -> Int {
      facetList.items.count + (facetList.canToggleShowMore ? 1 : 0)
    }

    /// The cell of a value, or the cell that displays more values.
    open override func tableView(
      _ tableView: UITableView, cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell {
      let cell = tableView.dequeueReusableCell(
        withIdentifier: Self.cellIdentifier, for: indexPath)
      if facetList.items.indices.contains(indexPath.row) {
        configure(cell, with: facetList.items[indexPath.row])
      } else {
        var content = UIListContentConfiguration.cell()
        content.text = Bundle.main.localizedString(
          forKey: facetList.isShowingMore ? "Show less" : "Show more", value: nil, table: nil)
        cell.contentConfiguration = content
        cell.accessoryType = .none
        cell.accessibilityTraits = .button
      }
      return cell
    }

    /// Selects a value, or displays more values.
    open override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
      tableView.deselectRow(at: indexPath, animated: true)
      // Neither action fails while the controller is connected.
      try? widgetSource?.perform { [facetList] in
        facetList.items.indices.contains(indexPath.row)
          ? $0.toggle(facetList.items[indexPath.row].value) : $0.toggleShowMore()
      }
    }
  }
#endif
