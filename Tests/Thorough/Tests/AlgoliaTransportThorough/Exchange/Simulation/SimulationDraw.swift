#if os(Linux)
  @testable import AlgoliaTransport
  @testable import InstantSearchHTTP
  @testable import AsyncInstantSearch
  @testable import InstantSearchAPI

  /// Draws the calls of a scenario. Every call ends: one that neither the network nor the server
  /// ends has a cancellation that occurs or a time limit.
  struct SimulationDraw {
    private var generator: SplitMix64
    private var nextID = 0

    init(seed: UInt64) {
      generator = SplitMix64(seed: seed)
    }

    mutating func chance(_ percent: Int) -> Bool { number(in: 0...99) < percent }

    mutating func number(in range: ClosedRange<Int>) -> Int {
      Int.random(in: range, using: &generator)
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
      elements[number(in: 0...elements.count - 1)]
    }

    /// A call whose server answers.
    mutating func ordinaryCall(
      to server: SimulatedScenario.Server, host: SimulatedCall.Host
    ) -> SimulatedCall {
      defer { nextID += 1 }
      let method = pick(Endpoint.Method.allCases)
      let hasBody = method == .post || method == .put
      return SimulatedCall(
        id: nextID, server: server.rawValue, host: host, method: method,
        bodySize: hasBody ? size() : 0, reply: .answer(answer()), cancellation: nil, limit: .none,
        beginsAtOnce: chance(70))
    }

    /// Any call.
    ///
    /// - Parameters:
    ///   - isLast: Whether it is the last one of its block.
    ///   - others: The calls before it in its block.
    mutating func call(
      of client: SimulatedScenario.Client, in order: SimulatedScenario.Block.Order, isLast: Bool,
      after others: [SimulatedCall]
    ) -> SimulatedCall {
      let isSession = client.kind == .urlSession
      let server = client.proxy?.server ?? (!isSession && chance(30) ? .closing : .steady)
      var call = ordinaryCall(to: server, host: isSession || chance(50) ? .address : anyName())
      if !isSession, client.proxy == nil, chance(25) { call.host = anyHost(in: order, others) }
      if !server.isSteady, chance(30), case .answer(var answer) = call.reply {
        answer.closes = true
        call.reply = .answer(answer)
      }
      if chance(40) { call.reply = reply(isSession: isSession) }
      if chance(20) { call.limit = limit(isTotal: false) }
      let isSuperseded = order == .superseding && !isLast
      if isSuperseded, chance(70) {
        call.cancellation = .atNextCall
      } else if chance(40) {
        call.cancellation = cancellation(of: call, in: order, others)
      }
      return ending(call)
    }

    /// The call with a cancellation or a limit, if nothing else ends it.
    private mutating func ending(_ call: SimulatedCall) -> SimulatedCall {
      var call = call
      let isHeld = if case .heldUntilItsEnd = call.host { true } else { false }
      let needsTotal = call.reply.isSilent
      guard isHeld || needsTotal else { return call }
      switch call.cancellation {
      case .atStart, .onceSubmitted, .afterYields, .atNextCall: return call
      case .atLookup where isHeld: return call
      case .atArrival where !isHeld: return call
      case .atHalf where !isHeld:
        if case .firstHalf = call.reply { return call }
      default: break
      }
      switch call.limit {
      case .total: return call
      case .connect where !needsTotal: return call
      default: break
      }
      if chance(50) {
        call.limit = limit(isTotal: needsTotal)
      } else {
        call.cancellation = isHeld ? .atLookup : .atArrival
      }
      return call
    }

    private mutating func anyName() -> SimulatedCall.Host { .shared(number(in: 0...2)) }

    private mutating func anyHost(
      in order: SimulatedScenario.Block.Order, _ others: [SimulatedCall]
    ) -> SimulatedCall.Host {
      // A lookup waits for a call that needs no lookup itself.
      let other = others.last {
        if case .address = $0.host { $0.cancellation != .atNextCall } else { false }
      }
      var hosts: [SimulatedCall.Host] = [
        .own, .own, .withRefusingAddress, .heldUntilItsEnd, .missing, .failing,
      ]
      if order == .together, let other { hosts.append(.heldUntilEnd(of: other.id)) }
      return pick(hosts)
    }

    private mutating func cancellation(
      of call: SimulatedCall, in order: SimulatedScenario.Block.Order, _ others: [SimulatedCall]
    ) -> SimulatedCall.Cancellation {
      var choices: [SimulatedCall.Cancellation] = [
        .atStart, .onceSubmitted, .onceSubmitted, .afterYields(1 << number(in: 0...5)),
        .afterYields(number(in: 1...20)), .atArrival, .atHalf,
      ]
      switch call.host {
      case .own, .withRefusingAddress, .heldUntilItsEnd, .heldUntilEnd: choices.append(.atLookup)
      case .address, .shared, .missing, .failing: break
      }
      // A call that keeps its slot must not wait for one that waits for the slot.
      if order == .together, !call.reply.isSilent, let other = others.last {
        choices.append(.atEnd(of: other.id))
      }
      return pick(choices)
    }

    private mutating func limit(isTotal: Bool) -> SimulatedCall.Limit {
      isTotal || chance(70)
        ? .total(milliseconds: number(in: 1...30)) : .connect(milliseconds: number(in: 1...30))
    }

    private mutating func reply(isSession: Bool) -> SimulatedReply {
      switch number(in: 0...9) {
      case 0...1: return .firstHalf(of: answer())
      case 2:
        var answer = answer()
        answer.form = pick([.gzipped, .gzippedAndChunked])
        if answer.status == 204 { answer.status = 200 }
        return .damaged(answer, isSession ? .flippedByte : pick([.flippedByte, .truncation]))
      default:
        return .fault(pick(Fault.allCases.filter { !isSession || !$0.isWithoutHead }))
      }
    }

    private mutating func answer() -> SimulatedAnswer {
      var answer = SimulatedAnswer(
        status: pick([200, 200, 200, 204, 404, 500]),
        form: pick(SimulatedAnswer.Form.allCases), size: size(),
        hasInterim: chance(10), delay: chance(20) ? number(in: 1...5) : 0,
        partCount: pick([1, 1, 2, 5]), closes: false)
      if answer.status == 204 { (answer.form, answer.size) = (.plain, 0) }
      // Making these takes a program without optimization long.
      if answer.form.isGzipped { answer.size = min(answer.size, 70_000) }
      return answer
    }

    private mutating func size() -> Int {
      switch number(in: 0...29) {
      case 0...4: 0
      case 5...8: 1
      case 9...22: number(in: 2...4000)
      case 23...28: number(in: 4001...100_000)
      default: number(in: 100_001...1_100_000)
      }
    }
  }
#endif
