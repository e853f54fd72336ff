"""Runs the official Python client against a search server, and prints a line for each operation.

usage: StockClient.py HOST PORT ADMIN_KEY
"""
import asyncio
import sys
import time

from algoliasearch.http.exceptions import RequestException
from algoliasearch.http.hosts import CallType, Host, HostsCollection
from algoliasearch.search.client import SearchClient, SearchClientSync
from algoliasearch.search.config import SearchConfig

host, port, admin_key = sys.argv[1], int(sys.argv[2]), sys.argv[3]
failures = 0


def client(key):
    config = SearchConfig("APP", key)
    config.hosts = HostsCollection(
        [Host(f"{host}:{port}", scheme="http", accept=CallType.READ | CallType.WRITE)])
    # Bodies of any size are compressed.
    config.compression_type, config.compression_threshold = "gzip", 1
    return SearchClientSync(config=config)


def check(name, run, expected=None):
    """Runs an operation, and compares what it returns with what is expected."""
    global failures
    try:
        result = run()
    except RequestException as error:
        result = f"status {error.status_code}"
    except Exception as error:  # A decoding error of the client is a failure of the server.
        result = f"{type(error).__name__}: {str(error)[:120]}"
    is_right = expected is None and not str(result).startswith(("status", "Validation")) \
        or expected is not None and result == expected
    failures += not is_right
    print(f"{'ok  ' if is_right else 'FAIL'} {name}: {str(result)[:90]}")
    return result


admin = client(admin_key)
films = [{"objectID": str(n), "title": f"film {n}", "genre": "war" if n % 2 else "love", "year": 1900 + n}
         for n in range(25)]

check("list indices, none", lambda: len(admin.list_indices().items) >= 0, True)
check("index does not exist", lambda: admin.index_exists("py"), False)
check("save objects", lambda: len(admin.save_objects("py", films, wait_for_tasks=True, batch_size=10)), 3)
check("index exists", lambda: admin.index_exists("py"), True)
task = check("set settings", lambda: admin.set_settings(
    "py", {"attributesForFaceting": ["searchable(genre)", "year"], "customRanking": ["asc(year)"]}).task_id)
check("wait for task", lambda: admin.wait_for_task("py", task).status, "published")
check("get settings", lambda: admin.get_settings("py").attributes_for_faceting, ["searchable(genre)", "year"])
check("search", lambda: admin.search_single_index("py", {"query": "film", "hitsPerPage": 3}).nb_hits, 25)
check("search with filters and facets", lambda: admin.search_single_index(
    "py", {"filters": "genre:war AND year > 1910", "facets": ["genre"]}).facets, {"genre": {"war": 7}})
check("multi search", lambda: [r.actual_instance.nb_hits for r in admin.search(
    {"requests": [{"indexName": "py", "query": "film 3"}, {"indexName": "py", "hitsPerPage": 0}]}).results][1], 25)
check("search facet values", lambda: [h.value for h in admin.search_for_facet_values(
    "py", "genre", {"facetQuery": "lo"}).facet_hits], ["love"])
check("get object", lambda: admin.get_object("py", "7", ["title"])["title"], "film 7")
check("get object, missing", lambda: admin.get_object("py", "none"), "status 404")
check("get objects", lambda: [r["title"] if r else None for r in admin.get_objects({"requests": [
    {"indexName": "py", "objectID": "1"}, {"indexName": "nope", "objectID": "1"}]}).results], ["film 1", None])
browsed = []
check("browse objects", lambda: (admin.browse_objects("py", lambda r: browsed.extend(r.hits),
                                                      {"hitsPerPage": 10}), len(browsed))[1], 25)
check("partial update", lambda: len(admin.partial_update_objects(
    "py", [{"objectID": "1", "year": {"_operation": "Increment", "value": 5}}], wait_for_tasks=True)), 1)
check("the increment", lambda: admin.get_object("py", "1")["year"], 1906)
check("partial update of a missing one", lambda: len(admin.partial_update_objects(
    "py", [{"objectID": "zz", "year": 1}], create_if_not_exists=False, wait_for_tasks=True)), 1)
check("it is still missing", lambda: admin.get_object("py", "zz"), "status 404")
check("save object without ID", lambda: bool(admin.save_object("py", {"title": "new"}).object_id), True)
check("add or update object", lambda: admin.add_or_update_object("py", "t/1", {"title": "slash"}).object_id, "t/1")
check("get it", lambda: admin.get_object("py", "t/1")["title"], "slash")
check("delete object", lambda: bool(admin.delete_object("py", "t/1").deleted_at), True)
check("delete object, missing", lambda: bool(admin.delete_object("py", "t/1").deleted_at), True)
check("delete objects", lambda: len(admin.delete_objects("py", ["2", "3"], wait_for_tasks=True)), 1)
check("delete by", lambda: bool(admin.delete_by("py", {"filters": "genre:love"}).task_id), True)
check("records left", lambda: admin.search_single_index("py", {}).nb_hits, 12)
check("save synonyms", lambda: bool(admin.save_synonyms("py", [
    {"objectID": "s", "type": "synonym", "synonyms": ["tv", "television"]},
    {"objectID": "o", "type": "onewaysynonym", "input": "a", "synonyms": ["b"]}]).task_id), True)
check("search synonyms", lambda: admin.search_synonyms("py").nb_hits, 2)
check("get synonym", lambda: admin.get_synonym("py", "s").synonyms, ["tv", "television"])
check("delete synonym", lambda: bool(admin.delete_synonym("py", "s").deleted_at), True)
check("get synonym, missing", lambda: admin.get_synonym("py", "s"), "status 404")
check("save rule", lambda: bool(admin.save_rule("py", "r", {
    "objectID": "r", "conditions": [{"pattern": "sale", "anchoring": "contains"}],
    "consequence": {"params": {"filters": "genre:war"}}}).task_id), True)
check("search rules", lambda: admin.search_rules("py", {"query": ""}).nb_hits, 1)
check("get rule", lambda: admin.get_rule("py", "r").conditions[0].pattern, "sale")
check("copy index", lambda: bool(admin.operation_index(
    "py", {"operation": "copy", "destination": "py_copy"}).task_id), True)
check("copy has the rules", lambda: admin.search_rules("py_copy").nb_hits, 1)
check("copy settings only", lambda: bool(admin.operation_index(
    "py", {"operation": "copy", "destination": "py_settings", "scope": ["settings"]}).task_id), True)
check("move index", lambda: bool(admin.operation_index(
    "py_copy", {"operation": "move", "destination": "py_moved"}).task_id), True)
check("list indices", lambda: sorted(i.name for i in admin.list_indices().items if i.name.startswith("py")),
      ["py", "py_moved", "py_settings"])
check("list a page", lambda: (lambda a: (len(a.items), a.nb_pages > 1))(admin.list_indices(0, 1)), (1, True))
check("replace all objects", lambda: len(admin.replace_all_objects("py", films[:10], 4).batch_responses), 3)
check("they are replaced", lambda: admin.search_single_index("py", {}).nb_hits, 10)
check("settings stayed", lambda: admin.get_settings("py").custom_ranking, ["asc(year)"])
check("clear rules", lambda: bool(admin.clear_rules("py").task_id), True)
check("clear objects", lambda: bool(admin.clear_objects("py").task_id), True)
check("cleared", lambda: admin.search_single_index("py", {}).nb_hits, 0)
check("multiple batch", lambda: sorted(admin.multiple_batch({"requests": [
    {"action": "addObject", "indexName": "py", "body": {"objectID": "1", "genre": "war"}},
    {"action": "addObject", "indexName": "py_moved", "body": {"objectID": "1"}}]}).task_id), ["py", "py_moved"])

key = check("add a key", lambda: admin.add_api_key(
    {"acl": ["search"], "indexes": ["py*"], "description": "of a test"}).key)
check("wait for the key", lambda: admin.wait_for_api_key(key, "add").value == key, True)
check("get the key", lambda: admin.get_api_key(key).indexes, ["py*"])
check("list keys", lambda: any(k.value == key for k in admin.list_api_keys().keys), True)
limited = client(key)
check("search with it", lambda: limited.search_single_index("py", {}).nb_hits, 1)
check("its own key", lambda: limited.get_api_key(key).description, "<redacted>")
check("another index", lambda: limited.search_single_index("films", {}), "status 403")
check("a write with it", lambda: limited.save_object("py", {"a": 1}), "status 403")
secured = admin.generate_secured_api_key(
    key, {"filters": "genre:love", "validUntil": int(time.time()) + 60})
check("search with a secured key", lambda: client(secured).search_single_index("py", {}).nb_hits, 0)
expired = admin.generate_secured_api_key(key, {"validUntil": int(time.time()) - 60})
check("an expired secured key", lambda: client(expired).search_single_index("py", {}), "status 400")
check("a wrong key", lambda: client("wrong").search_single_index("py", {}), "status 403")
check("update the key", lambda: bool(admin.update_api_key(key, {"acl": ["browse"]}).updated_at), True)
check("wait for the update", lambda: admin.wait_for_api_key(key, "update", {"acl": ["browse"]}).value == key, True)
check("delete the key", lambda: bool(admin.delete_api_key(key).deleted_at), True)
check("wait for its end", lambda: admin.wait_for_api_key(key, "delete") is None, True)
check("restore the key", lambda: admin.restore_api_key(key).key, key)
check("delete it again", lambda: bool(admin.delete_api_key(key).deleted_at), True)
check("logs", lambda: admin.get_logs().logs, [])
for index in ["py", "py_moved", "py_settings", "never"]:
    check(f"delete index {index}", lambda: bool(admin.delete_index(index).task_id), True)


async def several():
    config = SearchConfig("APP", admin_key)
    config.hosts = HostsCollection(
        [Host(f"{host}:{port}", scheme="http", accept=CallType.READ | CallType.WRITE)])
    async with SearchClient(config=config) as asynchronous:
        answers = await asyncio.gather(
            *(asynchronous.search_single_index("films", {"query": "a"}) for _ in range(20)))
        return len({answer.nb_hits for answer in answers})

check("twenty searches at once", lambda: asyncio.run(several()), 1)
print(f"{failures} failed")
sys.exit(failures > 0)
