#if canImport(UIKit) && !os(watchOS)
  import UIKit

  extension UIScrollView {
    /// Goes to the top left corner of the content, also when there is none.
    func scrollToStart() {
      let inset = adjustedContentInset
      setContentOffset(CGPoint(x: -inset.left, y: -inset.top), animated: false)
    }
  }
#endif
