"""Kills a search server again and again while the official Python client writes to it.

After each start every acknowledged write and key must be there.

usage: KilledServer.py SERVER ROUNDS
"""
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

import requests
from algoliasearch.http.exceptions import AlgoliaUnreachableHostException
from algoliasearch.http.hosts import CallType, Host, HostsCollection
from algoliasearch.search.client import SearchClientSync
from algoliasearch.search.config import SearchConfig

program, rounds = sys.argv[1], int(sys.argv[2])
random.seed(1)
acknowledged = []


def start(file, loaded):
    """Starts the server, and returns its process and port."""
    server = subprocess.Popen(
        [program, "--file", file, "--load", loaded, "--port", "0", "--admin-key", "admin",
         "--log-level", "error"],
        stdout=subprocess.PIPE, text=True)
    port = None
    for line in server.stdout:
        if found := re.match(r"listening on .*:(\d+)$", line.strip()):
            port = int(found[1])
        if line.strip() == "ready":
            return server, port
    sys.exit(f"the server ended with status {server.wait()}")


def client(port):
    config = SearchConfig("APP", "admin")
    config.hosts = HostsCollection(
        [Host(f"127.0.0.1:{port}", scheme="http", accept=CallType.READ | CallType.WRITE)])
    return SearchClientSync(config=config)


def changes(number):
    """The IDs that a write saves, and those that it deletes."""
    ids = [str((number * 37 + index * 11) % 500) for index in range(10)]
    return ([], ids) if number % 5 == 3 else (ids, [])


def apply(records, number):
    saved, deleted = changes(number)
    for id in saved:
        records[id] = number
    for id in deleted:
        records.pop(id, None)


def write(api, number):
    saved, deleted = changes(number)
    requests = [{"action": "addObject", "body": {"objectID": id, "n": number}} for id in saved]
    requests += [{"action": "deleteObject", "body": {"objectID": id}} for id in deleted]
    api.batch("items", {"requests": requests})


def add_keys(port, number, keys):
    """Adds keys until the server ends, and notes those that were acknowledged."""
    api = client(port)
    try:
        for index in range(1000):
            name = f"{number}.{threading.get_ident()}.{index}"
            api.add_api_key({"acl": ["search"], "description": name})
            keys.add(name)
            acknowledged.append(name)
    except (AlgoliaUnreachableHostException, requests.exceptions.RequestException):
        pass  # The connection ends with the server.


def read(api):
    if not any(item.name == "items" for item in api.list_indices().items):
        return {}
    found = {}
    api.browse_objects(
        "items", lambda page: found.update({hit.object_id: hit.n for hit in page.hits}))
    return found


with tempfile.TemporaryDirectory() as folder:
    file = os.path.join(folder, "search")
    loaded = os.path.join(folder, "loaded.json")
    with open(loaded, "w") as seed:
        seed.write('[{"objectID": "1", "n": -1}, {"objectID": "2", "n": -1}]')
    records, keys, next_write, unknown, starts = {}, set(), 0, 0, []
    for number in range(rounds):
        begin = time.monotonic()
        server, port = start(file, loaded)
        starts.append(time.monotonic() - begin)
        api = client(port)
        listed = list(api.list_api_keys().keys)
        stored = {key.description for key in listed}
        # The last key of each thread may be stored and not acknowledged.
        if not keys <= stored or len(stored - keys) > 4:
            sys.exit(f"round {number}: keys {sorted(keys ^ stored)} differ")
        for key in listed[:-40]:
            api.delete_api_key(key.value)
        keys = {key.description for key in listed[-40:]}
        # Loading again would undo the write of the round before.
        if api.get_object("loaded", "1")["n"] != number - 1:
            sys.exit(f"round {number}: the index was loaded again")
        api.save_object("loaded", {"objectID": "1", "n": number})
        found = read(api)
        if found != records:
            # The server ended before it acknowledged the last write.
            apply(records, next_write)
            next_write += 1
            unknown += 1
            if found != records:
                sys.exit(f"round {number}: after write {next_write - 1} records differ")
        timer = threading.Timer(random.uniform(0.01, 0.25), server.send_signal, [signal.SIGKILL])
        timer.start()
        threads = [threading.Thread(target=add_keys, args=(port, number, keys)) for _ in range(4)]
        for thread in threads:
            thread.start()
        try:
            while True:
                write(api, next_write)
                apply(records, next_write)
                next_write += 1
        except Exception:
            pass  # The connection ends with the server.
        server.wait()
        for thread in threads:
            thread.join()
    if len(acknowledged) < rounds:
        sys.exit(f"only {len(acknowledged)} keys were acknowledged")
    print(
        f"{rounds} servers were killed, {next_write} writes, {unknown} of them not acknowledged,"
        f" {len(acknowledged)} keys;"
        f" a start takes {sorted(starts)[rounds // 2] * 1000:.0f} ms")
