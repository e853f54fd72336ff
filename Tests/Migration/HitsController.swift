// swift-format-ignore-file

// Example 7 of 19 of the callback library. Hits: a custom controller.

import AsyncInstantSearch
import UIKit

// What the example takes as given.
public struct Item: Codable, Sendable { let name: String }

// The example.
public class CustomHitsTableViewController: NSObject, HitsController {

  public let tableView: UITableView

  public weak var hitsSource: HitsInteractor<Item>?

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
