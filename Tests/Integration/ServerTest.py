"""Runs SearchServer as an operator does, and checks what it says, logs, counts and refuses.

usage: ServerTest.py SERVER FILMS
"""
import gzip
import http.client
import http.server
import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time

program, films = sys.argv[1], os.path.abspath(sys.argv[2])
folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)


def write(name, text):
    with open(name, "w") as file:
        file.write(text)
    return name


def check(condition, *what):
    if not condition:
        sys.exit("FAILED: " + " ".join(str(part)[:2000] for part in what))


class Server:
    """A running server."""

    def __init__(self, *options, ready=True):
        self.log = open("log", "w+")
        self.process = subprocess.Popen(
            [program, "--port", "0", "--admin-key", "admin-key-0123456789", *options],
            stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.lines = []
        self.port = int(self.expect(r"listening on http://127.0.0.1:(\d+)$")[1])
        if ready:
            self.expect("ready$")

    def expect(self, pattern):
        for line in self.process.stdout:
            self.lines.append(line)
            if found := re.match(pattern, line):
                return found
        sys.exit(f"FAILED: no {pattern}: {self.lines} {self.logged()}")

    def logged(self):
        time.sleep(0.2)
        with open("log") as file:
            return file.read()

    def line(self, text):
        """The only line of the log with a text."""
        found = [line for line in self.logged().splitlines() if text in line]
        check(len(found) == 1, text, found, self.logged())
        return found[0]

    def call(self, method, path, body=None, headers=None, key="admin-key-0123456789"):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = dict(headers or {})
        if key:
            headers["X-Algolia-API-Key"] = key
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        data = response.read()
        connection.close()
        return response.status, response.headers, data

    def json(self, *arguments, **options):
        status, _, data = self.call(*arguments, **options)
        return status, json.loads(data)

    def raw(self, text, timeout=20, half_close=False):
        """All that the server sends until it closes the connection, and the seconds of that."""
        begin = time.monotonic()
        with socket.create_connection(("127.0.0.1", self.port), timeout=timeout) as connection:
            connection.sendall(text.encode() if isinstance(text, str) else text)
            if half_close:
                connection.shutdown(socket.SHUT_WR)
            data = b""
            while True:
                try:
                    part = connection.recv(65536)
                except ConnectionResetError:
                    break
                except TimeoutError:
                    return data.decode(), None
                if not part:
                    break
                data += part
        return data.decode(), time.monotonic() - begin

    def memory(self):
        """The resident bytes."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * 4096

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        check(self.process.wait(20) == 0, "status", self.process.returncode)
        check(self.process.stdout.read().endswith("stopped\n"), "no last line")


def fails(*options, expect, status=1, key=True):
    """Starts a server that says in one line why it does not run."""
    command = [program, *(["--admin-key", "admin"] if key else []), *options]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=60,
        env={**os.environ, "SEARCH_ADMIN_KEY": ""})
    text = done.stderr.strip()
    # The line, and for wrong options the usage.
    check(re.match("Error: .*" + expect, text), expect, done.stdout, done.stderr)
    check(len(text.splitlines()) == 1 or "Usage: " in text, text)
    check(done.returncode not in (0, -4, -5) and "Domain=" not in text, text)


def messages():
    done = subprocess.run([program, "--help"], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    check(len(lines) <= 75 and max(map(len, lines)) <= 100, "help has", len(lines), "lines")
    check("trace, debug, info" in done.stdout, done.stdout)
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    check(done.stdout.startswith("SearchServer "), done.stdout)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        fails("--port", str(port), "--load", films, expect=f"The port {port} of 127.0.0.1 is in use")
    fails("--host", "203.0.113.99", "--port", "0", expect="203.0.113.99 is no address of this")
    fails("--port", "0", key=False, expect="Set --admin-key")
    fails("--settings", "none.json", expect="The file none.json of --settings cannot be read")
    fails("--settings", write("broken.json", "{"), expect="The file broken.json has no settings")
    fails("--settings", write("wrong.json", '{"foo": 1}'), expect='wrong.json has wrong.*"foo"')
    fails("--settings", "other=wrong.json", "--load", films, expect="the index other, which --load")
    fails("--load", "none.json", expect="The file none.json of --load cannot be read")
    fails("--port", "0", "--load", write("bad.json", '[{"a": 1}, {'), expect="bad.json cannot be loaded")
    fails("--log-level", "loud", expect="'loud' is invalid")
    fails("--head-timeout", "0", expect="--head-timeout must be")
    fails("--tools", "--about", "films", expect="--about must be INDEX=TEXT")
    fails("--about", "films=Films", expect="--about needs --tools")
    fails("--trusted-proxy", "nowhere", expect="nowhere is no address")
    write("data.search.keys", '{"saved": {"value": "k", "createdAt": 1, "acl": []}}\n{"saved": 1}\n')
    fails("--port", "0", "--file", "data.search", expect="data.search.keys: line 2: A key needs")
    os.remove("data.search.keys")


def tools():
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    server = Server("--load", films, "--tools", "--about", "films=Films since 1920")
    status, answer = server.json("POST", "/mcp", message)
    check(status == 200 and "Films since 1920" in json.dumps(answer), status, answer)
    check(server.json("POST", "/mcp", message, key="guess")[0] == 401)
    check(server.call("GET", "/mcp")[0] == 405)
    server.end()
    server = Server("--load", films)
    check(server.call("POST", "/mcp", message)[0] == 404)
    server.end()


def access_log():
    server = Server("--load", films)
    check("films: 668 records\n" in server.lines, server.lines)
    check(not any("\r" in line or "#" in line for line in server.lines), server.lines)
    status, headers, _ = server.call(
        "POST", "/1/indexes/films/query", {"query": "godfather"}, {"Request-ID": "rid-12345"})
    check(status == 200 and headers["Correlation-ID"].endswith("-rid-12345"), headers)
    line = server.line("rid-12345")
    for part in [
        "client=127.0.0.1", "status=200", "key=admi…", "index=films", "POST /1/indexes/films/query",
        "info", "ms=", "in=22", headers["Correlation-ID"],
    ]:
        check(part in line, part, line)
    server.call("POST", "/1/indexes/films/query", {}, {"Request-ID": "stranger"}, "guess-of-a-key-1")
    line = server.line("stranger")
    check("status=403" in line and "key=gues…" in line and "notice" in line, line)
    check("guess-of-a-key" not in server.logged())
    _, key = server.json("POST", "/1/keys", {"acl": ["search"], "maxQueriesPerIPPerHour": 2})
    for query in range(3):
        server.call("POST", "/1/indexes/films/query", {}, {"Request-ID": f"r{query}"}, key["key"])
    check("status=429" in server.line("-r2"), server.line("-r2"))
    check("status=400" in server.line("Malformed request") if server.raw("nonsense\r\n\r\n") else 0)
    _, one = server.json("POST", "/1/keys", {"acl": ["search"], "maxQueriesPerIPPerHour": 49})
    queries = {"requests": [{"indexName": "films"}] * 50}
    check(server.json("POST", "/1/indexes/*/queries", queries, key=one["key"])[0] == 429)
    server.end()


def metrics_and_traces():
    received = []

    class Collector(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            received.append((self.path, self.headers["Content-Type"], body))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    collector = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=collector.serve_forever, daemon=True).start()
    server = Server(
        "--load", films, "--otlp-endpoint", f"http://127.0.0.1:{collector.server_address[1]}",
        "--log-level", "warning")
    trace = "0af7651916cd43dd8448eb211c80319c"
    server.call(
        "POST", "/1/indexes/films/query", {}, {"traceparent": f"00-{trace}-b7ad6b7169203331-01"})
    server.call("GET", "/nowhere")
    status, headers, data = server.call("GET", "/metrics", key=None)
    text = data.decode()
    check(status == 200 and headers["Content-Type"].startswith("text/plain; version=0.0.4"), status)
    for part in [
        'http_server_request_duration_seconds_count{http_request_method="POST",'
        'http_route="/1/indexes/{indexName}/query",http_response_status_code="200"} 1\n',
        'search_calls_total{call="read",outcome="200"} 1\n',
        'search_index_records{index="films"} 668', "process_resident_memory_bytes ",
        "# TYPE http_server_request_duration_seconds histogram\n",
    ]:
        check(part in text, part, text)
    check(all(re.match(r"# TYPE \w+ \w+$|# HELP \w+ .+\.$|\w+(\{[^}]*\}+[^}]*\}?)? [\d.e+-]+$|\w+\{.*\} [\d.e+-]+$", line)
              for line in text.splitlines()), text)
    check(text.count("# HELP") == text.count("# TYPE"), text)
    check(server.call("GET", "/metrics", headers={"X-Forwarded-For": "1.2.3.4"})[0] == 403)
    # A quotation mark and an accent on it are one character. What is deleted is not shown.
    server.call("POST", "/1/indexes/%22%CC%81%5C%CC%81%0A", {"a": 1})
    text = server.call("GET", "/metrics", key=None)[2].decode()
    check('search_index_records{index="\\"\u0301\\\\\u0301\\n"} 1.0\n' in text, text)
    server.call("DELETE", "/1/indexes/films")
    check('index="films"' not in server.call("GET", "/metrics", key=None)[2].decode())
    server.end()
    spans = [body for path, kind, body in received
             if path == "/v1/traces" and kind == "application/x-protobuf"]
    body = b"".join(spans)
    check(body.count(bytes.fromhex(trace)) == 2, len(spans), body)
    check(b"POST /1/indexes/{indexName}/query" in body and b"SearchServer" in body, body)
    check(bytes.fromhex("b7ad6b7169203331") in body, body)
    server = Server("--metrics-key", "m", "--log-level", "notice")
    status, headers, _ = server.call("GET", "/metrics")
    check(status == 401 and headers["WWW-Authenticate"] == "Bearer", status, headers)
    check("GET /metrics" in server.line("No access to the metrics"))
    check(server.call("GET", "/metrics", headers={"Authorization": "Bearer m"})[0] == 200)
    server.end()


def protocol():
    server = Server(
        "--load", films, "--head-timeout", "1", "--call-timeout", "1", "--idle-timeout", "2",
        "--min-rate", "10000000", "--max-connections-per-address", "40")
    path = "POST /1/indexes/films/query HTTP/1.1\r\n"
    key = "X-Algolia-API-Key: admin-key-0123456789\r\n"

    def answer(text, **options):
        data, seconds = server.raw(text, **options)
        head, _, body = data.partition("\r\n\r\n")
        return int(head.split()[1]) if head else 0, head, body, seconds

    def refused(text, status, message, **options):
        found, head, body, seconds = answer(text, **options)
        check(found == status and seconds is not None, text, status, found, head, body)
        check(json.loads(body)["status"] == status and message in body, body)
        check("application/json" in head, head)
        return seconds

    # A client that takes a little now and then does not hold a response for ever.
    slow = threading.Thread(target=read_slowly, args=[server.port])
    slow.start()
    health = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
    # HTTP/1.0 ends with the response, and so does a connection with "close".
    check(answer("GET /health HTTP/1.0\r\n\r\n")[3] < 1)
    check(answer("GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")[3] < 1)
    check(answer("GET /health HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")[3] > 1)
    refused("GET /health HTTP/1.1\r\n\r\n", 400, "Host")
    refused("GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400, "Host")
    refused("GET /health\r\n\r\n", 505, "version")
    refused("GET /health HTTP/1.1\r\nHost a\r\n\r\n", 400, "Malformed")
    refused("GET / HTTP/1.1\r\nHost: a\r\nA: " + "b" * 200_000 + "\r\n\r\n", 431, "large")
    refused("GET /health HTTP/2.0\r\nHost: a\r\n\r\n", 505, "version")
    for close in ["Close", "close, TE", "TE,CLOSE"]:
        _, head, _, seconds = answer(f"GET /health HTTP/1.1\r\nHost: a\r\nConnection: {close}\r\n\r\n")
        check(seconds < 1 and "Connection: close" in head, close, seconds, head)
    check(answer("GET http://example.com/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")[0] == 200)
    refused("CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", 405, "proxy")
    # What follows a request for another protocol is dropped, and takes no memory.
    memory = server.memory()
    head = b"GET /health HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
    for connect in [head, head.replace(b"GET /health", b"CONNECT a:1")]:
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
            try:
                connection.sendall(connect + b"a" * 200_000_000)
            except (BrokenPipeError, ConnectionResetError):
                pass
            check(server.memory() < memory + 50_000_000, memory, server.memory())
    data, seconds = server.raw(head)
    check(data.startswith("HTTP/1.1 200") and seconds < 1, data, seconds)
    # Nothing is read after the last request, and not without end before the responses.
    closing = health.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")
    for after in [health, "wrong\r\n\r\n", head.decode()]:
        data, _ = server.raw(health + closing + after)
        check(re.findall(r"HTTP/1.1 (\d+)", data) == ["200", "200"], after, data)
        check(data.count("Connection: close") == 1, data)
    data, _ = server.raw(health * 300)
    statuses = re.findall(r"HTTP/1.1 (\d+)", data)
    check(100 <= len(statuses) < 300 and statuses[-1] == "429", len(statuses), statuses[-1:])
    data, _ = server.raw("HEAD /health HTTP/1.1\r\n\r\n")
    check(data.startswith("HTTP/1.1 400") and data.endswith("\r\n\r\n"), data)
    # Late heads and bodies end within their times.
    check(1 <= refused(path + "Host: a\r\n", 408, "head") < 4)
    # A short body has the time of the connection, and a longer one that of the call.
    for length in [99, 99999]:
        seconds = refused(
            path + f"Host: a\r\n{key}Request-ID: late{length}\r\nContent-Length: {length}\r\n\r\n{{",
            408, "body")
        check(1 <= seconds < 9, seconds)
        check("POST /1/indexes/films/query" in server.line(f"late{length}"))
    head = path + "Host: a\r\nContent-Length: 99999\r\n\r\n{"
    status, _, _, seconds = answer(head)
    check(status == 403 and 1 <= seconds < 10, status, seconds)
    check(answer("", timeout=10)[3] < 4)
    # What is no request is answered after the requests before it.
    for wrong in ["GET /health HTTP/1.1\r\n\r\n", "wrong\r\n\r\n"]:
        data, _ = server.raw(health + health + wrong)
        check(re.findall(r"HTTP/1.1 (\d+)", data) == ["200", "200", "400"], wrong, data)
    # A body that is cut off or malformed is an error of the client.
    for body in ["Content-Length: 99\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n5\r\n{",
                 "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n"]:
        refused(path + "Host: a\r\n" + key + body, 400, "", half_close=True)
    # Without the 100, a client waits for a second before it sends its body.
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall(
            (path + "Host: a\r\n" + key + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n").encode())
        check(connection.recv(100).startswith(b"HTTP/1.1 100 Continue\r\n\r\n"))
        connection.sendall(b"{}")
        check(connection.recv(100).startswith(b"HTTP/1.1 200"))
    # A body that is not wanted is not asked for.
    status = answer(path + "Host: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")[0]
    check(status == 403, status)
    # HEAD has the length of GET.
    check(server.call("HEAD", "/health")[1]["Content-Length"] ==
          server.call("GET", "/health")[1]["Content-Length"])
    # gzip both ways, and nothing that grows without end.
    body = gzip.compress(json.dumps({"query": "the", "hitsPerPage": 50}).encode())
    status, headers, data = server.call(
        "POST", "/1/indexes/films/query", body,
        {"Content-Encoding": "gzip", "Accept-Encoding": "gzip"})
    check(status == 200 and headers["Content-Encoding"] == "gzip", status, headers)
    check(len(json.loads(gzip.decompress(data))["hits"]) == 50)
    for body in [gzip.compress(b"0" * 300_000_000), b"\x1f\x8bnothing", gzip.compress(b"{}")[:-4],
                 gzip.compress(b"{}") * 2]:
        status, _, data = server.call(
            "POST", "/1/indexes/films/query", body, {"Content-Encoding": "gzip"})
        check(status == (413 if len(body) > 9_000 else 400), status, data)
    # No index and no ID looks like a line or a field of the log.
    server.call("POST", "/1/indexes/a%0A2026-01-31T12:00:00+0000%20info%20client=10.0.0.1/query", {},
                {"Request-ID": "b status=200"})
    line = server.line("client=10.0.0.1")
    check('index="a 2026-01-31T12:00:00+0000 info client=10.0.0.1"' in line, line)
    check(re.search(r'id="\w+-b status=200"', line), line)
    # One address has so many connections, and others their own.
    many = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(60)]
    time.sleep(0.3)

    def is_closed(connection):
        connection.setblocking(False)
        try:
            return connection.recv(1) == b""
        except BlockingIOError:
            return False
        except ConnectionResetError:
            return True

    closed = sum(map(is_closed, many))
    check(closed == 20, closed, "connections were closed")
    with socket.create_connection(
            ("127.0.0.1", server.port), source_address=("127.0.0.2", 0), timeout=10) as other:
        other.sendall(b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
        check(other.recv(100).startswith(b"HTTP/1.1 200"))
    for connection in many:
        connection.close()
    slow.join()
    check('{reason="slow_reader"} 1\n' in server.call("GET", "/metrics")[2].decode())
    check('{reason="too_many"} 2' in server.call("GET", "/metrics")[2].decode())
    check(5 < slow_seconds[0] < 15 and slow_count[0] < 20_000_000, slow_seconds, slow_count)
    print(f"a slow reader: {slow_count[0]:,} bytes in {slow_seconds[0]:.1f} s")
    check(server.call("GET", "/health")[0] == 200)
    server.end()


slow_seconds, slow_count = [], []


def read_slowly(port):
    """Reads 250,000 bytes a second of a response of 28 million, and after 9 seconds the rest."""
    requests = [{"indexName": "films", "hitsPerPage": 1000}] * 30
    body = json.dumps({"requests": requests}).encode()
    begin, count = time.monotonic(), 0
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", port))
        connection.sendall(
            b"POST /1/indexes/*/queries HTTP/1.1\r\nHost: a\r\nX-Algolia-API-Key: "
            b"admin-key-0123456789\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        while True:
            is_slow = time.monotonic() - begin < 9
            if is_slow:
                time.sleep(0.008)
            try:
                part = connection.recv(2_000 if is_slow else 100_000)
            except ConnectionResetError:
                break
            if not part:
                break
            count += len(part)
    slow_seconds.append(time.monotonic() - begin)
    slow_count.append(count)


def limits():
    server = Server(
        "--trusted-proxy", "127.0.0.1", "--max-queries-per-address", "2", "--application-id", "A",
        "--allowed-origin", "https://shop.example", "--strict", "--load", films)
    app = {"X-Algolia-Application-Id": "A"}
    _, key = server.json("POST", "/1/keys", {"acl": ["search"]}, app)

    def search(address, **body):
        return server.call(
            "POST", "/1/indexes/films/query", body, {**app, "X-Forwarded-For": address}, key["key"])

    check([search("192.0.2.1")[0] for _ in range(3)] == [200, 200, 429])
    check(search("192.0.2.2")[0] == 200)
    check(search("192.0.2.2", unknown=1)[0] == 400)
    check("client=192.0.2.2" in server.logged())
    check(server.call("GET", "/1/keys")[0] == 403)
    status, headers, _ = search("192.0.2.3")
    check(headers["Access-Control-Allow-Origin"] == "https://shop.example", headers)
    server.end()


def survival():
    options = ["--file", "data.search", "--load", films, "--settings", f"films={settings}"]
    server = Server(*options)
    _, added = server.json("POST", "/1/keys", {"acl": ["search"], "description": "web"})
    key = added["key"]
    check(server.call("DELETE", f"/1/keys/{key}")[0] == 200)
    check(server.json("GET", "/1/indexes/films/settings")[1]["searchableAttributes"] == ["title"])
    server.call("POST", "/1/indexes/films", {"title": "kept"})
    for name in ["data.search", "data.search.keys"] + [
            name for name in os.listdir() if name.startswith("data.search")]:
        mode = stat.S_IMODE(os.stat(name).st_mode)
        check(mode == 0o600, name, oct(mode))
    fails("--port", "0", "--file", "data.search", expect="in use")
    server.kill()
    server = Server(*options)
    check("films: 669 records, as kept\n" in server.lines, server.lines)
    check(server.call("POST", f"/1/keys/{key}/restore")[0] == 200)
    check(server.json("POST", "/1/indexes/films/query", {"query": "kept"}, key=key)[1]["nbHits"] == 1)
    begin = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    for _ in range(500):
        connection.request(
            "POST", "/1/keys", b'{"acl":[]}', {"X-Algolia-API-Key": "admin-key-0123456789"})
        check(connection.getresponse().read())
    print(f"500 keys in a file: {time.monotonic() - begin:.2f} s")
    connection.close()
    server.end()
    # A backup is a server of its own.
    server = Server("--file", "data.search", "--backup", "copy.search", "--backup-interval", "1")
    server.call("POST", "/1/indexes/films", {"title": "zweifelsohne"})
    time.sleep(2.5)
    server.kill()
    check(stat.S_IMODE(os.stat("copy.search.keys").st_mode) == 0o600, "permissions of the copy")
    # Nothing empty takes its place.
    server = Server("--backup", "copy.search", "--backup-interval", "1")
    time.sleep(1.5)
    check("nothing is there to replace copy.search with" in server.logged(), server.logged())
    server.end()
    server = Server("--file", "copy.search")
    found = server.json("POST", "/1/indexes/films/query", {"query": "zweifelsohne"}, key=key)
    check(found[1].get("nbHits") == 1, found)
    keys = server.json("GET", "/1/keys")[1]["keys"]
    check(len(keys) == 501, len(keys), "keys")
    server.end()
    # Loading takes its time, and the port answers meanwhile.
    write("large.ndjson", "".join(
        json.dumps({"objectID": str(number), "text": f"word{number} " * 60}) + "\n"
        for number in range(20_000)))
    server = Server("--load", "large.ndjson", ready=False)
    status, headers, data = server.call("GET", "/health")
    check(status == 503 and headers["Retry-After"] == "1", status, data)
    server.expect("ready$")
    check(server.call("GET", "/health")[0] == 200)
    server.end()


settings = write("titles.json", '{"searchableAttributes": ["title"]}')
for test in [messages, tools, access_log, metrics_and_traces, protocol, limits, survival]:
    begin = time.monotonic()
    test()
    print(f"{test.__name__}: {time.monotonic() - begin:.1f} s")
