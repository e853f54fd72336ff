"""Calls the tools of a program and of a server with the Python client of the Model Context Protocol,
and prints a line for each check.

usage: ToolClient.py PROGRAM URL ADMIN_KEY
"""
import asyncio
import json
import sys
import urllib.request

import httpx2
from jsonschema import Draft202012Validator
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

program, url, admin_key = sys.argv[1:4]
failures = 0

FILMS, VALUES = "algolia_search_films", "algolia_search_for_facet_values"

# The tool, its arguments, and what its result must have: titles in their order, numbers of hits,
# reasons of hints, values of a facet, or the sentence about a mistake.
CALLS = [
    (FILMS, {"query": "godfathr"}, {"nbHits": 3}),
    (FILMS, {"query": "godfather", "hitsPerPage": 1}, {"hits": 1}),
    (FILMS, {"query": "seven samurai"}, {"first": "Seven Samurai"}),
    (FILMS, {"query": "metropolis"}, {"first": "Metropolis"}),
    (FILMS, {"query": "casablanca"}, {"first": "Casablanca"}),
    (FILMS, {"query": "space odyssey"}, {"first": "2001: A Space Odyssey"}),
    (FILMS, {"query": "kubrick", "facet_genres": ["War"]}, {"all": ("directors", "Stanley Kubrick")}),
    (FILMS, {"facet_country": ["Japan"], "hitsPerPage": 20}, {"all": ("country", "Japan")}),
    (FILMS, {"facet_country": [["Japan", "Italy"]], "hitsPerPage": 20},
     {"any": ("country", ["Japan", "Italy"])}),
    (FILMS, {"facet_country": ["Japan", "Italy"]}, {"reasons": ["filters_exclude"]}),
    (FILMS, {"facet_genres": ["Western", "-Drama"], "hitsPerPage": 20}, {"none": ("genres", "Drama")}),
    (FILMS, {"range_year": {"min": 1990, "max": 1999}, "hitsPerPage": 20}, {"years": (1990, 1999)}),
    (FILMS, {"range_year": {"max": 1925}}, {"years": (0, 1925)}),
    (FILMS, {"range_oscars": {"min": 11}}, {"least": ("oscars", 11)}),
    (FILMS, {"query": "war", "hitsPerPage": 2, "page": 1}, {"hits": 2}),
    (FILMS, {"query": "war", "page": 900}, {"reasons": ["no_such_page"]}),
    (FILMS, {"query": "", "hitsPerPage": 20}, {"reasons": ["more_hits"]}),
    (FILMS, {}, {"hits": 5}),
    (FILMS, {"query": "ran", "attributesToRetrieve": ["title"]}, {"members": {"objectID", "title", "_highlights"}}),
    (FILMS, {"query": "xyzzy plugh"}, {"reasons": ["unknown_text"]}),
    (FILMS, {"query": "samurai xyzzy"}, {"similar": True}),
    (FILMS, {"facet_genres": ["Sci-Fi"]}, {"facet": ("genres", "Science Fiction")}),
    (FILMS, {"query": "kurosawa", "facet_country": ["France"]}, {"facet": ("country", "Japan")}),
    (FILMS, {"query": 1}, {"error": "query must be a text"}),
    (FILMS, {"filters": "year > 1990"}, {"error": 'There is no argument "filters"'}),
    (FILMS, {"facet_genres": "War"}, {"error": "facet_genres must be a list"}),
    (FILMS, {"facet_genres": ["a"] * 10_000}, {"error": "facet_genres has 10000 elements"}),
    (FILMS, {"query": "a" * 900_000}, {"error": "query has a text of 900000 bytes"}),
    (FILMS, {"range_year": "1990"}, {"error": "range_year must be an object"}),
    (FILMS, {"range_year": {"min": 2, "max": 1}}, {"error": "range_year has a min above its max"}),
    (FILMS, {"page": -1}, {"error": "page must be an integer"}),
    (FILMS, {"hitsPerPage": 1000}, {"error": "hitsPerPage must be an integer"}),
    (FILMS, {"sortBy": "cheapest"}, {"error": 'sortBy cannot be "cheapest"'}),
    (VALUES, {"indexName": "films", "facetName": "genres", "facetQuery": "west"}, {"values": ["Western"]}),
    (VALUES, {"indexName": "films", "facetName": "country", "facetQuery": "jap"}, {"values": ["Japan"]}),
    (VALUES, {"indexName": "films", "facetName": "genres", "maxFacetHits": 3}, {"count": 3}),
    (VALUES, {"indexName": "secret", "facetName": "genres"}, {"error": 'indexName cannot be "secret"'}),
    (VALUES, {"indexName": "films", "facetName": "plot"}, {"error": 'facetName cannot be "plot"'}),
    ("search", {"query": "samurai"}, {"titles": "Seven Samurai"}),
    ("search", {}, {"error": "The argument query is missing"}),
    ("fetch", {"id": "f-seven-samurai-1954"}, {"title": "Seven Samurai"}),
    ("fetch", {"id": "nothing"}, {"error": "There is no record"}),
]


def check(name, is_right, detail=""):
    global failures
    failures += not is_right
    print(f"{'ok  ' if is_right else 'FAIL'} {name}{': ' + str(detail)[:300] if not is_right else ''}")


def fits(content, text, is_error, expected):
    """Whether a result has what is expected of it."""
    for kind, value in expected.items():
        if kind == "error":
            if not (is_error and text.startswith(value)):
                return False
            continue
        if is_error or json.loads(text) != content:
            return False
        hits = content.get("hits", [])
        is_right = {
            "nbHits": lambda: content["nbHits"] == value,
            "hits": lambda: len(hits) == value,
            "first": lambda: hits[0]["title"] == value,
            "all": lambda: hits and all(value[1] in hit[value[0]] for hit in hits),
            "any": lambda: hits and all(hit[value[0]] in value[1] for hit in hits),
            "none": lambda: hits and not any(value[1] in hit[value[0]] for hit in hits),
            "years": lambda: hits and all(value[0] <= hit["year"] <= value[1] for hit in hits),
            "least": lambda: hits and all(hit[value[0]] >= value[1] for hit in hits),
            "members": lambda: set(hits[0]) == value,
            "reasons": lambda: [hint["reason"] for hint in content["hints"]] == value,
            "similar": lambda: bool(content["similarHits"]),
            "facet": lambda: value[1] in content["facets"][value[0]],
            "values": lambda: [hit["value"] for hit in content["facetHits"]] == value,
            "count": lambda: len(content["facetHits"]) == value,
            "titles": lambda: content["results"][0]["title"] == value,
            "title": lambda: content["title"] == value,
        }[kind]
        if not is_right():
            return False
    return True


async def run(name, transport, mode):
    async with Client(transport, mode=mode) as client:
        # A call is checked against the schema by the client, too.
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        check(f"{name}: lists the tools", set(tools) >= {FILMS, VALUES, "search", "fetch"}, set(tools))
        for tool in tools.values():
            for schema in (tool.input_schema, tool.output_schema):
                try:
                    Draft202012Validator.check_schema(schema)
                    check(f"{name}: schema of {tool.name}", schema["type"] == "object")
                except Exception as error:
                    check(f"{name}: schema of {tool.name}", False, error)
        right = 0
        for tool, arguments, expected in CALLS:
            try:
                result = await client.call_tool(tool, arguments)
            except Exception as error:
                check(f"{name}: {tool} {json.dumps(arguments)[:80]}", False, repr(error))
                continue
            content, text = result.structured_content, result.content[0].text
            try:
                is_right = fits(content, text, result.is_error, expected)
            except Exception as error:
                is_right, text = False, repr(error) + text
            if content is not None:
                Draft202012Validator(tools[tool].output_schema).validate(content)
            right += bool(is_right)
            if not is_right:
                check(f"{name}: {tool} {json.dumps(arguments)[:80]}", False, text)
        check(f"{name}: {right} of {len(CALLS)} calls", right == len(CALLS))
        for tool, arguments in [("nothing", {}), ("", {})]:
            try:
                result = await client.call_tool(tool, arguments)
                check(f"{name}: unknown tool {tool!r}", False, result)
            except MCPError as error:
                check(f"{name}: unknown tool {tool!r}", error.code == -32602, error)
        for call, expected in [
            (client.list_resources, -32601), (client.list_prompts, -32601),
        ]:
            try:
                check(f"{name}: {call.__name__}", False, await call())
            except MCPError as error:
                check(f"{name}: {call.__name__}", error.code == expected, error)
            except Exception as error:
                check(f"{name}: {call.__name__}", "capabilit" in str(error), repr(error))


def http(key):
    client = httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}, timeout=30)
    return streamable_http_client(url, http_client=client)


def make_key(**members):
    """Makes a key of the server."""
    request = urllib.request.Request(
        url.removesuffix("/mcp") + "/1/keys", data=json.dumps(members).encode(),
        headers={"x-algolia-api-key": admin_key, "content-type": "application/json"})
    with urllib.request.urlopen(request) as response:
        return json.load(response)["key"]


async def check_keys():
    limited = make_key(acl=["search"], indexes=["films"], maxHitsPerQuery=2)
    async with Client(http(limited)) as client:
        result = await client.call_tool(FILMS, {"query": "war", "hitsPerPage": 10})
        check("key: at most two hits", len(result.structured_content["hits"]) == 2)
    other = make_key(acl=["search"], indexes=["people"])
    async with Client(http(other)) as client:
        check("key: no tool for another index", (await client.list_tools()).tools == [])
        try:
            check("key: no call for another index", False, await client.call_tool(FILMS, {}))
        except MCPError as error:
            check("key: no call for another index", error.code == -32602, error)
    try:
        async with Client(http("nothing")) as client:
            check("key: an unknown one", False, await client.list_tools())
    except BaseException as error:
        check("key: an unknown one", "Invalid" in repr(error) or "Error" in repr(error), repr(error))


async def main():
    for mode, era in [("auto", "stateless"), ("legacy", "with initialize")]:
        parameters = StdioServerParameters(command=program)
        await run(f"stdio, {era}", stdio_client(parameters), mode)
        await run(f"http, {era}", http(admin_key), mode)
    await check_keys()
    print(f"{failures} failures")
    sys.exit(1 if failures else 0)


asyncio.run(main())
