import Foundation

#if os(macOS) || os(Linux)
  /// The program `nginx` on the loopback address: HTTP/2 over TLS, from a real server.
  public final class NginxServer: Sendable {
    /// Whether the required programs are installed.
    ///
    /// If the environment has `ASYNC_INSTANTSEARCH_NEEDS_NGINX`, the tests run without this check,
    /// and fail if a program is missing.
    public static let isAvailable =
      ProcessInfo.processInfo.environment["ASYNC_INSTANTSEARCH_NEEDS_NGINX"] != nil
      || (ToolProcess.path(of: "nginx") != nil && TestAuthority.isAvailable)

    /// Whether it can also hand on what it decrypts.
    ///
    /// With `ASYNC_INSTANTSEARCH_NEEDS_NGINX`, as for ``isAvailable``.
    public static let canDecrypt =
      ProcessInfo.processInfo.environment["ASYNC_INSTANTSEARCH_NEEDS_NGINX"] != nil
      || isAvailable && streamModule != nil

    /// The message of a skipped test.
    public static let absence =
      "nginx and openssl are needed: apt-get install nginx-light libnginx-mod-stream openssl"

    /// The port for connections over TLS.
    public let port: Int
    private let process: Process
    private let input = Pipe()
    private let directory: URL

    /// Starts a server, and returns when it accepts connections.
    ///
    /// - Parameters:
    ///   - authority: The authority that signs its certificate.
    ///   - backend: The port of a server without TLS that provides the responses; `nil` for the
    ///     fixed response `{"hits":[]}`.
    ///   - requestsPerConnection: The number of requests after which it closes a connection.
    public convenience init(
      _ authority: TestAuthority, backend: Int? = nil, requestsPerConnection: Int = 1_000_000
    ) throws {
      let answer =
        backend.map {
          """
          proxy_pass http://127.0.0.1:\($0); proxy_http_version 1.1; proxy_set_header Connection "";
          proxy_next_upstream off; proxy_read_timeout 3600s;
          """
        } ?? #"return 200 '{"hits":[]}';"#
      try self.init { port, directory in
        let temporaries = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
          .map { "\($0)_temp_path \(directory)/\($0);" }.joined(separator: " ")
        return """
          http {
            access_log off; default_type application/json; client_max_body_size 0; \(temporaries)
            server {
              listen 127.0.0.1:\(port) ssl http2; listen unix:\(directory)/socket;
              ssl_client_certificate \(authority.certificateFile); ssl_verify_client optional;
              add_header X-Seen "$server_protocol $ssl_client_verify" always;
              ssl_certificate \(authority.serverCertificateFile);
              ssl_certificate_key \(authority.serverKeyFile);
              keepalive_timeout 3600s; keepalive_requests \(requestsPerConnection);
              location / { \(answer) }
            }
          }
          """
      }
    }

    /// Starts a server that decrypts connections and hands their bytes on in both directions, and
    /// returns when it accepts them.
    ///
    /// - Parameters:
    ///   - authority: The authority that signs its certificate.
    ///   - backend: The port of a server without TLS.
    public convenience init(_ authority: TestAuthority, decryptingFor backend: Int) throws {
      try self.init { port, directory in
        """
        \(Self.streamModule.map { "load_module \($0);" } ?? "")
        stream {
          server {
            listen 127.0.0.1:\(port) ssl; proxy_pass 127.0.0.1:\(backend); tcp_nodelay on;
            ssl_certificate \(authority.serverCertificateFile);
            ssl_certificate_key \(authority.serverKeyFile);
          }
          server {
            listen unix:\(directory)/socket; proxy_pass 127.0.0.1:\(backend); tcp_nodelay on;
          }
        }
        """
      }
    }

    /// The module that hands bytes on.
    private static let streamModule = ["/usr/lib/nginx/modules", "/usr/lib64/nginx/modules"]
      .map { "\($0)/ngx_stream_module.so" }.first { FileManager.default.fileExists(atPath: $0) }

    /// Starts a server with a part of a configuration for a port and a folder.
    private init(_ configuration: (_ port: Int, _ directory: String) -> String) throws {
      let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("nginx-\(UUID().uuidString)")
      self.directory = directory
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      // Another process can take a port in between, but rarely; nginx would not start then.
      port = try LoopbackSocket.bound().port
      let text = """
        daemon off; master_process off; error_log /dev/null; pid \(directory.path)/pid;
        \(configuration(port, directory.path))
        events { worker_connections 1024; }

        """
      let file = directory.appendingPathComponent("nginx.conf")
      try Data(text.utf8).write(to: file)
      guard let nginx = ToolProcess.path(of: "nginx") else {
        throw ToolProcess.Failure(program: "nginx", output: "missing")
      }
      // The shell ends it when this process has ended for any reason.
      process = try ToolProcess.make(
        "sh", ["-c", "\(nginx) -p \(directory.path) -c \(file.path) & read -r _; kill -9 $!"])
      process.standardInput = input
      try process.run()
      // It does not report when it is ready, so it is polled.
      for _ in 0..<1000 where process.isRunning {
        if (try? LoopbackSocket.connected(to: port)) != nil { return }
        Thread.sleep(forTimeInterval: 0.01)
      }
      stop()
      throw ToolProcess.Failure(program: "nginx", output: "did not start")
    }

    deinit {
      stop()
      try? FileManager.default.removeItem(at: directory)
    }

    /// Its address.
    public var url: String { "https://127.0.0.1:\(port)" }

    /// The address without TLS.
    public var unixSocketPath: String { "\(directory.path)/socket" }

    /// Stops the server.
    public func stop() {
      try? input.fileHandleForWriting.close()
    }
  }
#endif
