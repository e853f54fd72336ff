-- Searches for each text of a file: QUERIES=… KEY=… wrk -s queries.lua URL
local texts = {}
for line in io.lines(os.getenv("QUERIES")) do texts[#texts + 1] = line end
local number = math.random(#texts)
local headers = {
  ["x-algolia-api-key"] = os.getenv("KEY"), ["x-algolia-application-id"] = "APP",
  ["content-type"] = "application/json",
}

function request()
  number = number % #texts + 1
  local body = '{"query":"' .. texts[number] .. '","facets":["genres","year"]}'
  return wrk.format("POST", "/1/indexes/films/query", headers, body)
end
