import InstantSearchJSON

/// An attribute in the text index.
struct IndexedField: Sendable, Hashable {
  /// The dotted path of the attribute.
  let path: String
  /// Its rank, and whether word positions count.
  let role: SearchableAttributes.Role
}

/// The inverted index of a segment: the documents, attributes and positions of each word.
///
/// A class, so that passing it costs one retain instead of one per array.
final class TextIndex: Sendable {
  /// The attributes found in the records. Occurrences refer to them by number.
  let fields: [IndexedField]
  /// The distinct words.
  let terms: TermDictionary
  /// The documents of each word.
  let postings: PostingLists
  /// The order of the occurrences of a word.
  let keys: FieldKeys
  /// The documents of frequent words, as sets.
  let frequentWords = FrequentWords()
  /// The endings of long words, made when compound words are searched.
  let compoundSuffixes = CachedValue<CompoundSuffixes>()

  /// Creates an index from its parts.
  init(fields: [IndexedField], terms: TermDictionary, postings: PostingLists) {
    self.fields = fields
    self.terms = terms
    self.postings = postings
    keys = FieldKeys(fields)
  }

  /// The maximum length of all field paths, in bytes.
  static let maximumPathSize = 1 << 20
  /// The maximum length of a path with a separate field, in bytes.
  static let maximumPathLength = 1 << 14

  /// The field of all attributes beyond the limits.
  static let sharedField = IndexedField(
    path: "", role: SearchableAttributes.Role(rank: Occurrence.maximumField, isOrdered: false))
}

extension TextIndex {
  /// Builds the index from the searched attributes of records.
  ///
  /// Strings are searched. Numbers and booleans are searched as text if their attribute is listed.
  /// Two values of one attribute in a record are at least ``Occurrence/gapBetweenValues`` positions
  /// apart.
  struct Builder {
    private let attributes: SearchableAttributes
    /// The attributes whose words are split at capitals and digits.
    private let camelCase: AttributeList
    private let tokenizer: Tokenizer
    private var fields: [IndexedField] = []
    /// The field of each path, by its number in the tree.
    private var fieldOfPath: [PathField] = [.unknown]
    private var isObjectSearched: [Bool?] = [nil]
    private var nextPosition: [Int] = []
    /// Whether the words of each field are split at capitals and digits.
    private var splitsCamelCase: [Bool] = []
    private var table = TermTable()
    private var buffer = TokenBuffer()
    private let cancellation: CancellationCheck
    /// The text of the current value.
    private var text: [UInt8] = []
    /// The words of the documents.
    private var log = OccurrenceLog()

    /// The maximum length of a text whose memory is used for the next one, in bytes.
    private static let keptTextSize = 1 << 16

    /// The field of a path.
    private enum PathField {
      case unknown, none
      case field(UInt16)
    }

    /// Creates a builder.
    init(
      attributes: SearchableAttributes, tokenizer textTokenizer: Tokenizer,
      camelCase: AttributeList = .none, _ cancellation: CancellationCheck
    ) {
      self.cancellation = cancellation
      self.attributes = attributes
      self.camelCase = camelCase
      tokenizer = textTokenizer
    }

    /// Creates the builder of an index.
    init(_ form: IndexForm, _ cancellation: CancellationCheck) throws {
      let settings = form.settings
      self.init(
        attributes: try SearchableAttributes(settings.searchableAttributes, cancellation),
        tokenizer: form.tokenizer,
        camelCase: try AttributeList(settings.camelCaseAttributes, cancellation), cancellation)
    }

    /// The attributes of the settings.
    var listed: [String] { attributes.paths + SearchableAttributes.reserved }

    /// Adds the record of the next document. `nil` adds an empty document.
    ///
    /// - Parameter tree: The paths of all records, which has ``listed``.
    mutating func add(_ record: JSONNode?, in tree: inout AttributePaths) throws {
      if let record {
        beginDocument()
        for member in record.members where !member.isSuperseded {
          let path = try child(member.key, of: AttributePaths.root, in: &tree)
          try addValue(member.value, path: path, of: &tree)
        }
      }
      log.endDocument()
    }

    /// Adds the next document, a record with one text.
    mutating func add(_ text: String, of attribute: String, in tree: inout AttributePaths) throws {
      beginDocument()
      let path = try child(attribute, of: AttributePaths.root, in: &tree)
      if let field = try field(of: path, in: tree) {
        try addText(Array(text.utf8), field: field)
      }
      log.endDocument()
    }

    private mutating func beginDocument() {
      for field in nextPosition.indices { nextPosition[field] = 0 }
    }

    private mutating func addValue(
      _ value: JSONNode, path: Int, of tree: inout AttributePaths
    ) throws {
      try cancellation.count()
      switch value.kind {
      case .string, .number:
        guard value.kind == .string || !attributes.isEmpty,
          let field = try field(of: path, in: tree)
        else { return }
        var text: [UInt8] = []
        swap(&text, &self.text)
        value.readSearchedText(into: &text)
        try addText(text, field: field)
        // The memory of a long text is not kept.
        if text.count <= Self.keptTextSize { swap(&text, &self.text) }
      case .bool:
        guard !attributes.isEmpty, let field = try field(of: path, in: tree),
          let bool = value.bool
        else { return }
        try addText(Array(String(bool).utf8), field: field)
      case .array:
        for element in value.elements {
          try addValue(element, path: path, of: &tree)
        }
      case .object:
        guard try isSearched(object: path, in: tree) else { return }
        for member in value.members where !member.isSuperseded {
          let path = try child(member.key, of: path, in: &tree)
          try addValue(member.value, path: path, of: &tree)
        }
      case .null:
        break
      }
    }

    /// Adds the words of a text, part by part, so that only one part's words are in memory.
    private mutating func addText(_ text: [UInt8], field: Int) throws {
      var base = nextPosition[field] == 0 ? 0 : nextPosition[field] + Occurrence.gapBetweenValues
      var start = 0
      var isWhole = true
      while start < text.count {
        let end = try Tokenizer.endOfPart(from: start, of: text, cancellation)
        let isAll = end - start == text.count
        try tokenizer.tokenize(
          isAll ? text : Array(text[start..<end]), splitsCamelCase: splitsCamelCase[field],
          into: &buffer, cancellation)
        start = end
        guard let first = buffer.items.first else { continue }
        if isWhole, end < text.count {
          isWhole =
            try first.group == buffer.items.last?.group
            && !tokenizer.hasWords(text, from: end, cancellation)
        }
        for item in buffer.items {
          try cancellation.count(bytes: item.word.count)
          let term = try table.intern(buffer.bytes, item.word, cancellation)
          let occurrence = Occurrence(
            field: field, position: base + item.position,
            isWholeValue: isWhole && buffer.isWholeText(item))
          log.append(term: term, occurrence)
        }
        base += buffer.positionCount
        nextPosition[field] = base
        isWhole = false
      }
    }

    private mutating func child(
      _ key: String, of path: Int, in tree: inout AttributePaths
    ) throws -> Int {
      let child = try tree.child(key, of: path, cancellation)
      while fieldOfPath.count <= child {
        fieldOfPath.append(.unknown)
        isObjectSearched.append(nil)
      }
      return child
    }

    private mutating func isSearched(object path: Int, in tree: AttributePaths) throws -> Bool {
      if let known = isObjectSearched[path] { return known }
      let isSearched = try attributes.mayContain(tree.head(of: path), cancellation)
      isObjectSearched[path] = isSearched
      return isSearched
    }

    private mutating func field(of path: Int, in tree: AttributePaths) throws -> Int? {
      switch fieldOfPath[path] {
      case .field(let field): return Int(field)
      case .none: return nil
      case .unknown: break
      }
      guard let role = try attributes.role(of: tree.head(of: path), cancellation) else {
        fieldOfPath[path] = .none
        return nil
      }
      let isShared = tree.length(of: path) > TextIndex.maximumPathLength
      let new =
        isShared
        ? TextIndex.sharedField
        : IndexedField(path: try tree.name(of: path, cancellation), role: role)
      try cancellation.count(fields.count)
      let field = TextIndex.register(new, in: &fields)
      while nextPosition.count < fields.count { nextPosition.append(0) }
      while splitsCamelCase.count < fields.count {
        splitsCamelCase.append(
          try !isShared && camelCase.covers(new.path, cancellation))
      }
      fieldOfPath[path] = .field(UInt16(clamping: field))
      return field
    }

    /// Sorts the words and returns the index. The builder is empty then.
    mutating func build() throws -> TextIndex {
      var table = TermTable()
      swap(&table, &self.table)
      buffer = TokenBuffer()
      text = []
      fieldOfPath = [.unknown]
      isObjectSearched = [nil]
      nextPosition = []
      splitsCamelCase = []
      let order = try ByteStringOrder.sorted(count: table.count, cancellation) {
        table.bytes(of: $0)
      }
      var bytes: [UInt8] = []
      bytes.reserveCapacity(table.bytes.count)
      var offsets = [0]
      offsets.reserveCapacity(order.count + 1)
      for term in order {
        try cancellation.count()
        bytes.append(contentsOf: table.bytes(of: Int(term)))
        offsets.append(bytes.count)
      }
      table = TermTable()
      let (fields, newField) = TextIndex.sorted(fields)
      self.fields = []
      var log = OccurrenceLog()
      swap(&log, &self.log)
      let postings = try log.lists(order: order, newField: newField, cancellation)
      return TextIndex(
        fields: fields, terms: TermDictionary(bytes: bytes, offsets: offsets), postings: postings)
    }
  }

  /// Returns the fields in the order of their ranks, so that the first occurrence of a word in a
  /// document is in its best field, and the new number of each.
  static func sorted(_ fields: [IndexedField]) -> (fields: [IndexedField], newNumbers: [Int]) {
    let order = fields.indices.sorted {
      (fields[$0].role.rank, $0) < (fields[$1].role.rank, $1)
    }
    var newNumbers = [Int](repeating: 0, count: fields.count)
    for (new, old) in order.enumerated() { newNumbers[old] = new }
    return (order.map { fields[$0] }, newNumbers)
  }

  /// Returns the number of a field in `fields`, adding it if needed. Beyond the limits all fields
  /// share a number.
  static func register(_ field: IndexedField, in fields: inout [IndexedField]) -> Int {
    if let known = fields.firstIndex(where: { $0.path == field.path }) { return known }
    let size = fields.reduce(field.path.utf8.count) { $0 + $1.path.utf8.count }
    if fields.count < Occurrence.maximumField, size <= maximumPathSize {
      fields.append(field)
      return fields.count - 1
    }
    if let shared = fields.firstIndex(where: { $0.path == sharedField.path }) { return shared }
    fields.append(sharedField)
    return fields.count - 1
  }
}
