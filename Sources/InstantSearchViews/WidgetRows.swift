// The parts that several views of widgets have.

#if canImport(SwiftUI)
  import SwiftUI

  /// A row that selects something.
  struct ChoiceRow<Content: View>: View {
    let isSelected: Bool
    let content: Content
    let choose: @MainActor () -> Void

    var body: some View {
      Button(action: choose) {
        // The space between the parts of a row belongs to it.
        content.contentShape(Rectangle())
      }
      .buttonStyle(.plain)
      .accessibilityAddTraits(isSelected ? .isSelected : [])
    }
  }

  /// The mark of a row: whether it is selected. Assistive technologies read a trait instead.
  struct ChoiceMark: View {
    let isSelected: Bool

    var body: some View {
      Image(systemName: isSelected ? "checkmark.circle.fill" : "circle")
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
