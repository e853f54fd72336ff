// swift-format-ignore-file

// Example 17 of 19 of the callback library. Multi Hits: a custom controller of sections.

import AsyncInstantSearch
import UIKit

// The example.
public class MultiIndexHitsTableController: NSObject, MultiIndexHitsController {

  public let tableView: UITableView

  public weak var hitsSource: MultiIndexHitsSource?

  public init(tableView: UITableView) {
    self.tableView = tableView
  }

  public func reload() {
    tableView.reloadData()
  }

  public func scrollToTop() {
    guard tableView.numberOfRows(inSection: 0) != 0 else { return }
    let indexPath = IndexPath(row: 0, section: 0)
    self.tableView.scrollToRow(at: indexPath, at: .top, animated: false)
  }

}
