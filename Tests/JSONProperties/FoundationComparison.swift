import Foundation
import InstantSearchJSON

/// Compares our result for a text with Foundation's.
package enum FoundationComparison {
  /// Differences other than each ``FoundationDifference``; empty if there are none.
  package static func violations(in bytes: [UInt8]) -> [String] {
    let theirs = try? JSONDecoder().decode(JSONTree.self, from: Data(bytes))
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(bytes)
    } catch {
      let differences = FoundationDifference.excusing(refusedText: bytes, at: error.offset)
      // The decoder alone ignores values that are not requested, those of repeated keys.
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
