// The parts that several views of widgets have.

#if canImport(SwiftUI)
  import SwiftUI

  /// A row that chooses something.
  struct ChoiceRow<Content: View>: View {
    let isChosen: Bool
    let content: Content
    let choose: @MainActor () -> Void

    var body: some View {
      Button(action: choose) {
        // The space between the parts of a row belongs to it.
        content.contentShape(Rectangle())
      }
      .buttonStyle(.plain)
      .accessibilityAddTraits(isChosen ? .isSelected : [])
    }
  }

  /// The mark of a row: whether it is chosen. Assistive technologies read a trait instead.
  struct ChoiceMark: View {
    let isChosen: Bool

    var body: some View {
      Image(systemName: isChosen ? "checkmark.circle.fill" : "circle")
        .accessibilityHidden(true)
    }
  }

  /// The number of hits of a row.
  struct CountText: View {
    let count: Int?

    var body: some View {
      if let count {
        Text(count, format: .number)
          .foregroundStyle(.secondary)
          .accessibilityLabel("\(count) results")
      }
    }
  }

  /// A button that displays more values, or fewer again.
  struct ShowMoreButton: View {
    let isShowingMore: Bool
    let toggle: @MainActor () -> Void

    var body: some View {
      Button(isShowingMore ? "Show less" : "Show more", action: toggle)
    }
  }
#endif
