import Foundation

#if os(macOS) || os(Linux)
  /// A private certificate authority, and a certificate for a server on the loopback address, made
  /// with the program `openssl`. The files are removed with the last reference.
  public final class TestAuthority: Sendable {
    private let directory: URL

    /// Whether the program is installed.
    public static let isAvailable = ToolProcess.path(of: "openssl") != nil

    /// Creates keys and certificates.
    public init() throws {
      directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("authority-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      try make("ca", ["req", "-x509", "-days", "2", "-subj", "/CN=Loopback authority"])
      try make("server", ["req", "-subj", "/CN=localhost"])
      let names = directory.appendingPathComponent("names")
      try Data("subjectAltName=DNS:localhost,DNS:*.localhost,IP:127.0.0.1\n".utf8).write(to: names)
      try ToolProcess.run(
        "openssl",
        [
          "x509", "-req", "-in", path("server.pem"), "-CA", path("ca.pem"), "-CAkey",
          path("ca.key"),
          "-CAcreateserial", "-days", "2", "-extfile", names.path, "-out", path("server.crt"),
        ])
    }

    deinit {
      try? FileManager.default.removeItem(at: directory)
    }

    /// The certificate that makes a client trust the server.
    public var certificateFile: String { path("ca.pem") }

    /// The server's certificate.
    public var serverCertificateFile: String { path("server.crt") }

    /// The server's key.
    public var serverKeyFile: String { path("server.key") }

    private func path(_ name: String) -> String { directory.appendingPathComponent(name).path }

    private func make(_ name: String, _ arguments: [String]) throws {
      try ToolProcess.run(
        "openssl",
        arguments + [
          "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
          "-keyout", path(name + ".key"), "-out", path(name + ".pem"),
        ])
    }
  }

  /// Programs of the system.
  enum ToolProcess {
    struct Failure: Error {
      let program: String
      let output: String
    }

    /// The path of a program, from the search path or the system's folder for servers.
    static func path(of program: String) -> String? {
      let search = ProcessInfo.processInfo.environment["PATH"] ?? ""
      return (search.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin"])
        .map { "\($0)/\(program)" }
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// A program that has not been started, without input, whose output is discarded.
    static func make(_ program: String, _ arguments: [String]) throws -> Process {
      guard let path = path(of: program) else { throw Failure(program: program, output: "missing") }
      let process = Process()
      process.executableURL = URL(fileURLWithPath: path)
      process.arguments = arguments
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      return process
    }

    /// Runs a program to its end.
    static func run(_ program: String, _ arguments: [String]) throws {
      let process = try make(program, arguments)
      let errors = Pipe()
      process.standardError = errors
      // `waitUntilExit` runs an event loop, in which concurrent tests could be called.
      let hasEnded = DispatchSemaphore(value: 0)
      process.terminationHandler = { _ in hasEnded.signal() }
      try process.run()
      let output = try errors.fileHandleForReading.readToEnd() ?? Data()
      hasEnded.wait()
      guard process.terminationStatus == 0 else {
        throw Failure(program: program, output: String(decoding: output, as: UTF8.self))
      }
    }
  }
#endif
