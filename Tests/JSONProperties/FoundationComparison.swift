import Foundation
import InstantSearchJSON

/// Compares what we make of a text with what Foundation makes of it.
package enum FoundationComparison {
  /// How the two differ for other reasons than a ``FoundationDifference``; empty when they do not.
  package static func violations(in bytes: [UInt8]) -> [String] {
    let theirs = try? JSONDecoder().decode(JSONTree.self, from: Data(bytes))
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(bytes)
    } catch {
      let differences = FoundationDifference.excusing(refusedText: bytes, at: error.offset)
      // The decoder alone does not look at values that are not asked for, those of repeated keys.
      guard theirs != nil, differences.isEmpty,
        (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
      else { return [] }
      return ["read by Foundation: \(error)"]
    }
    guard let value = try? ReferenceReader.read(bytes) else { return ["read by us only"] }
    let differences = FoundationDifference.possible(in: value, of: bytes)
    let ours = JSONTree(document.root)
    if let theirs {
      if ours == theirs || !differences.isDisjoint(with: [.repeatedKey, .equivalentKey]) {
        return []
      }
      return ["other values than Foundation's"]
    }
    let excuses: Set<FoundationDifference> = [
      .loneSurrogate, .misfitPath, .underflow, .zeroWithExponent, .encoding,
    ]
    return differences.isDisjoint(with: excuses) ? ["refused by Foundation"] : []
  }
}
