// swift-format-ignore-file

// Example 4 of 19 of the callback library. Hits: a cell.

import InstantSearchViews
import UIKit

// What the example takes as given.
struct CustomHitModel: Codable { let name: String }

// The example.
struct CustomCellConfigurator: TableViewCellConfigurable {
  let model: CustomHitModel

  init(model: CustomHitModel, indexPath: IndexPath) {
    self.model = model
  }

  func configure(_ cell: UITableViewCell) {
    cell.textLabel?.text = model.name
  }
}
