import Foundation

#if os(macOS) || os(Linux)
  /// The program `nginx` on the loopback address: HTTP/2 over TLS, as servers really speak it.
  package final class NginxServer: Sendable {
    /// Whether the programs that it takes are there.
    ///
    /// Where the environment has `ASYNC_INSTANTSEARCH_NEEDS_NGINX`, they must be: tests then run,
    /// and fail without them.
    package static let isAvailable =
      ProcessInfo.processInfo.environment["ASYNC_INSTANTSEARCH_NEEDS_NGINX"] != nil
      || (ToolProcess.path(of: "nginx") != nil && TestAuthority.isAvailable)

    /// What a test that is skipped says.
    package static let absence = "nginx and openssl are needed: apt-get install nginx-light openssl"

    /// The port; connections to it are TLS.
    package let port: Int
    private let process: Process
    private let input = Pipe()
    private let directory: URL

    /// Starts a server, and returns when it takes connections.
    ///
    /// - Parameters:
    ///   - authority: What vouches for it.
    ///   - backend: The port of a server without TLS that is asked for each answer; `nil` for an
    ///     answer of its own, `{"hits":[]}`.
    ///   - requestsPerConnection: After how many requests it ends a connection.
    package init(
      _ authority: TestAuthority, backend: Int? = nil, requestsPerConnection: Int = 1_000_000
    ) throws {
      let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("nginx-\(UUID().uuidString)")
      self.directory = directory
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      // Nobody else takes a port in the moment between, most likely; nginx would not start then.
      port = try LoopbackSocket.bound().port
      let answer =
        backend.map {
          """
          proxy_pass http://127.0.0.1:\($0); proxy_http_version 1.1; proxy_set_header Connection "";
          proxy_next_upstream off; proxy_read_timeout 3600s;
          """
        } ?? #"return 200 '{"hits":[]}';"#
      let temporaries = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map { "\($0)_temp_path \(directory.path)/\($0);" }.joined(separator: " ")
      let text = """
        daemon off; master_process off; error_log /dev/null; pid \(directory.path)/pid;
        events { worker_connections 1024; }
        http {
          access_log off; default_type application/json; client_max_body_size 0; \(temporaries)
          server {
            listen 127.0.0.1:\(port) ssl http2; listen unix:\(directory.path)/socket;
            ssl_client_certificate \(authority.certificateFile); ssl_verify_client optional;
            add_header X-Seen "$server_protocol $ssl_client_verify" always;
            ssl_certificate \(authority.serverCertificateFile);
            ssl_certificate_key \(authority.serverKeyFile);
            keepalive_timeout 3600s; keepalive_requests \(requestsPerConnection);
            location / { \(answer) }
          }
        }
        """
      let file = directory.appendingPathComponent("nginx.conf")
      try Data(text.utf8).write(to: file)
      guard let nginx = ToolProcess.path(of: "nginx") else {
        throw ToolProcess.Failure(program: "nginx", output: "missing")
      }
      // The shell ends it when this process is gone, however that came about.
      process = try ToolProcess.make(
        "sh", ["-c", "\(nginx) -p \(directory.path) -c \(file.path) & read -r _; kill -9 $!"])
      process.standardInput = input
      try process.run()
      // It says nothing when it is ready, so it is asked.
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
    package var url: String { "https://127.0.0.1:\(port)" }

    /// Where it takes connections without TLS.
    package var unixSocketPath: String { "\(directory.path)/socket" }

    /// Ends it.
    package func stop() {
      try? input.fileHandleForWriting.close()
    }
  }
#endif
