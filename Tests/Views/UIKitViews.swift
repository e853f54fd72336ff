// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Screens in user code; type-checked by .ci/views, not run.

import InstantSearchViews
import UIKit

struct CustomHitModel: Codable {
  let name: String
}

// snippet.configurator
struct CustomCellConfigurator: TableViewCellConfigurable {
  let model: CustomHitModel

  init(model: CustomHitModel, indexPath: IndexPath) {
    self.model = model
  }

  func configure(_ cell: UITableViewCell) {
    cell.textLabel?.text = model.name
  }
}
// snippet.end

// snippet.alias
typealias CustomHitsTableViewController = HitsTableViewController<CustomCellConfigurator>
// snippet.end

class MoreCustomHitsTableViewController: HitsTableViewController<CustomCellConfigurator> {
  private let didSelect: (CustomHitModel) -> Void

  init(didSelect: @escaping (CustomHitModel) -> Void) {
    self.didSelect = didSelect
    super.init(style: .insetGrouped)
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "placeholder")
  }

  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    if hitsSource?.hit(atIndex: indexPath.row) == nil {
      return tableView.dequeueReusableCell(withIdentifier: "placeholder", for: indexPath)
    }
    return super.tableView(tableView, cellForRowAt: indexPath)
  }

  override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
    if let hit = hitsSource?.hit(atIndex: indexPath.row) { didSelect(hit) }
  }

  override func reload() {
    super.reload()
  }

  override func scrollToTop() {
    super.scrollToTop()
  }
}

// snippet.subclass
class SelectableHitsTableViewController: HitsTableViewController<CustomCellConfigurator> {
  override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
    print(hitsSource?.hit(atIndex: indexPath.row)?.name ?? "not loaded")
  }
}
// snippet.end

final class NameCell: UICollectionViewCell {
  let label = UILabel()
}

struct NameTile: CollectionViewCellConfigurable {
  static let cellIdentifier = "name"

  let model: Hit<CustomHitModel>

  init(model: Hit<CustomHitModel>, indexPath: IndexPath) {
    self.model = model
  }

  func configure(_ cell: NameCell) {
    cell.label.text = model.object.name
  }
}

class CustomHitsCollectionViewController: HitsCollectionViewController<NameTile> {
  override func collectionView(
    _ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath
  ) {}
}

public struct Item: Codable, Sendable {
  let name: String
}

/// A custom controller over a table.
// snippet.owntable
public class OwnHitsTableController: NSObject, HitsController {

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
// snippet.end

/// A screen that connects its parts one by one.
final class SearchViewController: UIViewController {
  private let client: SearchClient
  private let filterState = FilterState()
  private lazy var searcher = HitsSearcher(client: client, indexName: "products")
  private let hitsInteractor = HitsInteractor<CustomHitModel>()
  private let itemInteractor = HitsInteractor<Item>()
  private let items = OwnHitsTableController(tableView: .init())
  private let tileInteractor = HitsInteractor<Hit<CustomHitModel>>(infiniteScrolling: .off)
  private let hitsTableViewController = CustomHitsTableViewController()
  private let tiles = CustomHitsCollectionViewController(
    collectionViewLayout: UICollectionViewFlowLayout())

  init(client: SearchClient) {
    self.client = client
    super.init(nibName: nil, bundle: nil)
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    hitsInteractor.connectSearcher(searcher)
    tileInteractor.connectSearcher(searcher)
    itemInteractor.connectSearcher(searcher)
    searcher.connectFilterState(filterState)
    hitsInteractor.connectController(hitsTableViewController)
    tileInteractor.connectController(tiles)
    itemInteractor.connectController(items)
    searcher.submit()
  }
}

/// The same with a connector.
@MainActor
func connectedScreen(client: SearchClient) -> HitsConnector<CustomHitModel> {
  let filterState = FilterState()
  let hitsTableViewController = MoreCustomHitsTableViewController { print($0.name) }
  let hitsConnector = HitsConnector<CustomHitModel>(
    client: client, indexName: "products", filterState: filterState,
    controller: hitsTableViewController)
  hitsConnector.searcher.submit()
  return hitsConnector
}

// snippet.multitable
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
// snippet.end
