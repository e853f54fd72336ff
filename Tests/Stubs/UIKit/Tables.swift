// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals

// A stand-in for the tables of Apple's UIKit; see Views.swift.

open class UITableView: UIScrollView {
  public enum Style: Int, Sendable {
    case plain, grouped, insetGrouped
  }

  public enum ScrollPosition: Int, Sendable {
    case none, top, middle, bottom
  }

  public override init(frame: CGRect) { stub() }
  public init(frame: CGRect, style: UITableView.Style) { stub() }
  public required init?(coder: NSCoder) { stub() }

  weak open var dataSource: (any UITableViewDataSource)?
  open func reloadData() { stub() }
  open func numberOfRows(inSection section: Int) -> Int { stub() }
  open func scrollToRow(
    at indexPath: IndexPath, at scrollPosition: UITableView.ScrollPosition, animated: Bool
  ) { stub() }
  open func deselectRow(at indexPath: IndexPath, animated: Bool) { stub() }
  open func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) { stub() }
  open func dequeueReusableCell(
    withIdentifier identifier: String, for indexPath: IndexPath
  ) -> UITableViewCell { stub() }
}

open class UITableViewCell: UIView {
  public enum CellStyle: Int, Sendable {
    case `default`, value1, value2, subtitle
  }

  public override init(frame: CGRect) { stub() }
  public init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) { stub() }
  public required init?(coder: NSCoder) { stub() }

  public enum AccessoryType: Int, Sendable {
    case none, disclosureIndicator, detailDisclosureButton, checkmark, detailButton
  }

  open var textLabel: UILabel? { stub() }
  open var accessoryType: UITableViewCell.AccessoryType {
    get { stub() }
    set {}
  }
  open var contentConfiguration: (any UIContentConfiguration)? {
    get { stub() }
    set {}
  }
}

@MainActor @preconcurrency
public protocol UIContentConfiguration {}

@MainActor @preconcurrency
public struct UIListContentConfiguration: UIContentConfiguration {
  public static func cell() -> UIListContentConfiguration { stub() }
  public static func valueCell() -> UIListContentConfiguration { stub() }
  public var text: String?
  public var secondaryText: String?
}

@MainActor
public protocol UITableViewDataSource: NSObjectProtocol {
  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int
  func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell
}

open class UITableViewController: UIViewController, UITableViewDataSource {
  public init(style: UITableView.Style) { stub() }
  public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { stub() }
  public required init?(coder: NSCoder) { stub() }

  open var tableView: UITableView! {
    get { stub() }
    set {}
  }

  // Protocol members, optional ones too, are open members of the class.
  open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    stub()
  }
  open func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell { stub() }
  open func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) { stub() }
}
