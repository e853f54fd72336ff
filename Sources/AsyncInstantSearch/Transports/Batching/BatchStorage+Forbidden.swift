import InstantSearchJSON

extension BatchStorage {
  /// Gives calls their answers whose common request was refused with status 403.
  ///
  /// That may be about the key that all of them have in common, which is not worth a request for
  /// each. So one call is asked alone. If it is refused in the words in which the batch was, and
  /// these speak of an index, the calls about the same index are refused as well. If they do not, a
  /// second call is asked, about another index if there is one; that it is refused too stands for
  /// all.
  func deliver(
    _ members: [Member], of id: UInt64, forbiddenBy refusal: TransportResponse
  ) async {
    guard let first = waiting(members, of: id).first else { return }
    let isRefused = await isRefusedAlone(first, of: id, as: refusal)
    let others = waiting(members, of: id)
    if refusal.speaksOfIndex {
      let peers = others.filter { isRefused && $0.call.hasSameIndices(as: first.call) }
      end(peers, of: id, with: peers.map { _ in .success(refusal) })
      return await deliverByHalves(others, of: id, isKeyGood: false)
    }
    if isRefused,
      let second = others.first(where: { !$0.call.hasSameIndices(as: first.call) }) ?? others.first,
      await isRefusedAlone(second, of: id, as: refusal)
    {
      let rest = waiting(others, of: id)
      return end(rest, of: id, with: rest.map { _ in .success(refusal) })
    }
    await deliverByHalves(others, of: id, isKeyGood: true)
  }

  /// Sends a call alone; whether it is refused in the words in which its batch was.
  private func isRefusedAlone(
    _ member: Member, of id: UInt64, as refusal: TransportResponse
  ) async -> Bool {
    guard let response = await deliverAlone(member, of: id) else { return false }
    return response.status == refusal.status && response.words == refusal.words
  }
}

extension BatchableCall {
  /// Whether both name their indices, and name the same.
  fileprivate func hasSameIndices(as other: BatchableCall) -> Bool {
    let indices = NamedIndices(of: request)
    return indices != .any && indices == NamedIndices(of: other.request)
  }
}

extension TransportResponse {
  /// What a refusal says; `nil` where it is not the contract's JSON with a message: the page of a
  /// firewall, say, which says the same each time and has an ID of the request in it.
  fileprivate var words: String? {
    (try? JSONDocument(body))?.root["message"]?.string
  }

  /// Whether a refusal is about an index: "Index not allowed with this API key".
  fileprivate var speaksOfIndex: Bool {
    guard let words = words?.lowercased() else { return false }
    return words.contains("index") || words.contains("indices")
  }
}
