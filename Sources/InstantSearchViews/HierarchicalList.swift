#if canImport(SwiftUI)
  public import SwiftUI

  /// The values of a hierarchy as indented rows, each of which is selected with a tap.
  ///
  /// ```swift
  /// List {
  ///   HierarchicalList(categories)
  /// }
  /// ```
  ///
  /// The rows have no container: put them into a list, a form or a stack. A custom row receives its
  /// level:
  ///
  /// ```swift
  /// HierarchicalList(categories) { category, level in
  ///   Text(category.name).padding(.leading, CGFloat(level) * 10)
  /// }
  /// ```
  public struct HierarchicalList<Row: View>: View {
    private let controller: WidgetObservableController<HierarchicalMenu>
    private let row: @MainActor (FacetTreeNode, Int) -> Row

    /// Creates the rows of a hierarchical menu.
    ///
    /// - Parameters:
    ///   - controller: The controller, which must be connected.
    ///   - row: Returns the content of the row of a value for its level, counted from 0.
    public init(
      _ controller: WidgetObservableController<HierarchicalMenu>,
      @ViewBuilder row: @escaping @MainActor (FacetTreeNode, Int) -> Row
    ) {
      self.controller = controller
      self.row = row
    }

    /// The rows, and the button that displays more values.
    public var body: some View {
      if let view = controller.view {
        ForEach(view.items.rows(level: 0), id: \.node.value) { item in
          ChoiceRow(isSelected: item.node.isRefined, content: row(item.node, item.level)) {
            controller.perform { $0.toggle(item.node.value) }
          }
          .accessibilityValue("Level \(item.level + 1)")
        }
        if view.canToggleShowMore {
          ShowMoreButton(isShowingMore: view.isShowingMore) {
            controller.perform { $0.toggleShowMore() }
          }
        }
      }
    }
  }

  extension HierarchicalList where Row == HierarchicalRow {
    /// Creates the rows of a hierarchical menu: a mark, the indented name and the number of hits.
    ///
    /// - Parameter controller: The controller, which must be connected.
    public init(_ controller: WidgetObservableController<HierarchicalMenu>) {
      self.init(controller) { HierarchicalRow($0, level: $1) }
    }
  }

  /// The content of a row for a value of a hierarchy: a mark, the indented name and the number of
  /// hits.
  public struct HierarchicalRow: View {
    private let node: FacetTreeNode
    private let level: Int

    /// Creates the content of a row.
    ///
    /// - Parameters:
    ///   - node: The value.
    ///   - level: The level of the value, counted from 0.
    public init(_ node: FacetTreeNode, level: Int) {
      self.node = node
      self.level = level
    }

    /// The mark, the name and the number of hits.
    public var body: some View {
      HStack {
        ChoiceMark(isSelected: node.isRefined)
        Text(verbatim: node.name)
        Spacer()
        CountText(count: node.count)
      }
      .padding(.leading, CGFloat(level) * 20)
    }
  }

  /// A value of a tree with its level.
  private struct TreeRow {
    let node: FacetTreeNode
    let level: Int
  }

  extension [FacetTreeNode] {
    /// The values, each followed by its subtree.
    fileprivate func rows(level: Int) -> [TreeRow] {
      flatMap { node in
        [TreeRow(node: node, level: level)] + (node.children ?? []).rows(level: level + 1)
      }
    }
  }

  /// The selected path of a hierarchy as buttons that lead back.
  ///
  /// ```swift
  /// BreadcrumbView(path, root: "All categories")
  /// ```
  ///
  /// It is empty unless a path is selected.
  public struct BreadcrumbView: View {
    private let controller: WidgetObservableController<Breadcrumb>
    private let root: LocalizedStringKey

    /// Creates a breadcrumb.
    ///
    /// - Parameters:
    ///   - controller: The controller, which must be connected.
    ///   - root: The title of the button that removes the whole path. Defaults to `All`.
    public init(
      _ controller: WidgetObservableController<Breadcrumb>, root: LocalizedStringKey = "All"
    ) {
      self.controller = controller
      self.root = root
    }

    /// The buttons, and the name of the selected value.
    public var body: some View {
      if let view = controller.view, view.canRefine {
        ScrollView(.horizontal) {
          HStack {
            Button(root) { controller.perform { $0.show(nil) } }
            ForEach(view.items, id: \.path) { item in
              Image(systemName: "chevron.forward").accessibilityHidden(true)
              if item == view.items.last {
                Text(verbatim: item.label).accessibilityAddTraits(.isSelected)
              } else {
                Button(item.label) { controller.perform { $0.show(item.path) } }
              }
            }
          }
          // With the default style, a tap on a row of a list presses all its buttons.
          .buttonStyle(.borderless)
        }
      }
    }
  }
#endif
