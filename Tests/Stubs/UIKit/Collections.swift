// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals

// A stand-in for the collections of Apple's UIKit; see Views.swift.

@MainActor
open class UICollectionViewLayout: NSObject {
  public override init() { stub() }
  public required init?(coder: NSCoder) { stub() }
}

open class UICollectionViewFlowLayout: UICollectionViewLayout {}

open class UICollectionView: UIScrollView {
  public init(frame: CGRect, collectionViewLayout layout: UICollectionViewLayout) { stub() }
  public required init?(coder: NSCoder) { stub() }

  open func reloadData() { stub() }
  open func register(_ cellClass: AnyClass?, forCellWithReuseIdentifier identifier: String) {
    stub()
  }
  open func dequeueReusableCell(
    withReuseIdentifier identifier: String, for indexPath: IndexPath
  ) -> UICollectionViewCell { stub() }
}

open class UICollectionReusableView: UIView {}

open class UICollectionViewCell: UICollectionReusableView {
  open var contentView: UIView { stub() }
}

open class UICollectionViewController: UIViewController {
  public init(collectionViewLayout layout: UICollectionViewLayout) { stub() }
  public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { stub() }
  public required init?(coder: NSCoder) { stub() }

  open var collectionView: UICollectionView! {
    get { stub() }
    set {}
  }

  // Protocol members, optional ones too, are open members of the class.
  open func collectionView(
    _ collectionView: UICollectionView, numberOfItemsInSection section: Int
  ) -> Int { stub() }
  open func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell { stub() }
  open func collectionView(
    _ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath
  ) { stub() }
}
