#if os(Linux)
  import CInstantSearchCurl

  /// The number of calls that libcurl has made for the transfers of a loop.
  final class CurlActivity {
    var count = 0
  }

  /// One request that libcurl processes, and its response.
  ///
  /// It belongs to the thread of its loop. libcurl holds an unretained pointer to it as long as its
  /// handle exists, which is not longer than the transfer.
  final class CurlTransfer {
    /// The request and its route, to begin the transfer again.
    let start: CurlStart
    let addresses: [String]
    var submission: CurlInbox.Submission { start.submission }
    /// The time at which it was added to libcurl.
    let begin: ContinuousClock.Instant
    /// The pool of its connection, set before libcurl drives it.
    var pool: CurlConnections.Pool?
    private let handle: CurlHandle
    /// Counts the calls of libcurl, together with the other transfers of the loop.
    private let activity: CurlActivity
    private(set) var response: ReceivedResponse
    /// The number of bytes sent before the request, or `nil` before libcurl was about to send it.
    private var sentCountAtRequest: Int?
    /// Whether the connection that was found had input before the request was sent.
    private(set) var foundUnaskedInput = false
    /// The number of bytes of the request's body that libcurl received.
    private var takenCount = 0

    /// Creates a transfer with a separate handle. `nil` without memory, or if libcurl lacks a
    /// required option.
    init?(
      _ start: CurlStart, _ addresses: [String], at time: ContinuousClock.Instant,
      _ activity: CurlActivity, _ settings: CurlSettings
    ) {
      guard let handle = CurlHandle() else { return nil }
      self.start = start
      self.addresses = addresses
      begin = time
      self.handle = handle
      self.activity = activity
      response = ReceivedResponse(maximumBodySize: settings.configuration.maximumBodySize)
      // Safe: the handle does not outlive `self`, so the pointer is valid in each callback.
      let context = unsafe Unmanaged.passUnretained(self).toOpaque()
      guard unsafe handle.setOptions(of: start, addresses, at: time, settings, context: context)
      else { return nil }
    }

    /// The handle of libcurl, for the time that the transfer exists.
    var easy: libcurl_easy { handle.easy }

    /// Whether the request may be sent on the connection that was found.
    fileprivate func maySend() -> Bool {
      activity.count &+= 1
      let sentCount = libcurl_easy_sent_count(easy)
      if sentCountAtRequest == nil, pool?.mayHaveUnaskedInput(for: easy) == true {
        foundUnaskedInput = true
        return false
      }
      defer { sentCountAtRequest = sentCountAtRequest ?? sentCount }
      // A connection can turn out to be lost before a byte of the request was sent.
      return sentCountAtRequest.map { sentCount <= $0 } ?? true
    }

    /// Copies the next bytes of the body.
    fileprivate func giveBody(to buffer: UnsafeMutableRawBufferPointer) -> Int {
      activity.count &+= 1
      let count = min(buffer.count, submission.request.body.count - takenCount)
      // Safe: the count is at most the buffer's.
      unsafe buffer.copyBytes(from: submission.request.body[takenCount..<takenCount + count])
      takenCount += count
      return count
    }

    /// Whether no byte of a request was sent, so that the host may be out of reach.
    var hasSentNothing: Bool { libcurl_easy_sent_count(easy) == 0 }

    /// Receives bytes of the body. Returns `false` if there are too many.
    fileprivate func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
      activity.count &+= 1
      return unsafe response.receive(bytes)
    }

    /// Receives a line of the headers. Returns `false` if they are too long.
    fileprivate func receiveHeader(_ line: String) -> Bool {
      activity.count &+= 1
      return response.receiveHeader(line)
    }

    /// Reads the values that the result of the response needs from the handle.
    func readStatus() {
      response.status = libcurl_easy_status(easy)
      response.proxyStatus = libcurl_easy_proxy_status(easy)
      response.usedKeptConnection = libcurl_easy_connection_count(easy) == 0
    }
  }

  // Safe, for these four functions: `context` is the transfer, which the loop retains as long as
  // libcurl can call. The bytes are libcurl's, as many as `size` times `count`, during the call.

  let receiveBodyBytes: libcurl_receiver = { bytes, size, count, context in
    let (byteCount, overflow) = size.multipliedReportingOverflow(by: count)
    guard !overflow, let context = unsafe context else { return 0 }
    let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    let isTaken = unsafe transfer.receive(
      UnsafeRawBufferPointer(start: bytes, count: byteCount))
    // Zero means that no bytes were accepted, which ends the transfer.
    return isTaken ? byteCount : 0
  }

  let receiveHeaderBytes: libcurl_receiver = { bytes, size, count, context in
    let (byteCount, overflow) = size.multipliedReportingOverflow(by: count)
    guard !overflow, let context = unsafe context else { return 0 }
    let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    let line = unsafe UnsafeRawBufferPointer(start: bytes, count: byteCount)
    let isTaken = transfer.receiveHeader(unsafe String(decoding: line, as: UTF8.self))
    return isTaken ? byteCount : 0
  }

  let giveBodyBytes: libcurl_giver = { bytes, size, count, context in
    let (byteCount, overflow) = size.multipliedReportingOverflow(by: count)
    guard !overflow, let context = unsafe context else { return 0 }
    let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    return unsafe transfer.giveBody(
      to: UnsafeMutableRawBufferPointer(start: bytes, count: byteCount))
  }

  let isAboutToSend: libcurl_question = { context, _, _, _, _ in
    guard let context = unsafe context else { return 1 }
    return unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue().maySend()
      ? 0 : 1
  }
#endif
