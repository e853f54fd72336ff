// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals

// A stand-in for Apple's UIKit on other platforms: only what the package's views and their examples
// use, with the signatures and isolation that Apple's documentation gives. It is only type-checked;
// nothing in it can run.

@_exported public import Foundation

@MainActor
open class UIResponder: NSObject {}

public struct UIEdgeInsets {
  public var top, left, bottom, right: CGFloat
}

open class UIView: UIResponder {
  public override convenience init() { stub() }
  public init(frame: CGRect) { stub() }
  public required init?(coder: NSCoder) { stub() }
  // With UIKit, a member of every NSObject.
  open var accessibilityTraits: UIAccessibilityTraits {
    get { stub() }
    set {}
  }
}

public struct UIAccessibilityTraits: OptionSet, Sendable {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  public static let button = UIAccessibilityTraits(rawValue: 1)
  public static let selected = UIAccessibilityTraits(rawValue: 8)
}

open class UILabel: UIView {
  open var text: String? {
    get { stub() }
    set {}
  }
}

open class UIScrollView: UIView {
  open var adjustedContentInset: UIEdgeInsets { stub() }
  open func setContentOffset(_ contentOffset: CGPoint, animated: Bool) { stub() }
}

open class UIViewController: UIResponder {
  public override convenience init() { stub() }
  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { stub() }
  public required init?(coder: NSCoder) { stub() }
  open var title: String?
  open var isViewLoaded: Bool { stub() }
  open func viewDidLoad() { stub() }
}

extension IndexPath {
  public init(row: Int, section: Int) { stub() }
  public init(item: Int, section: Int) { stub() }
  public var section: Int {
    get { stub() }
    set {}
  }
  public var row: Int {
    get { stub() }
    set {}
  }
  public var item: Int {
    get { stub() }
    set {}
  }
}

func stub() -> Never { fatalError("This UIKit is a stand-in for type-checking.") }
