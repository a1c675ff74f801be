
-- Which targets a group of robots.txt disallows. This is Match of the Go package robots.

-- encodes and decodes have the normal forms of bytes and of escapes (RFC 9309, section 2.2.2): an escaped
-- letter, digit, "-", ".", "_" or "~" is the byte itself, and all other escapes are in upper case. reads has the
-- escapes of a path as servers decode them: a byte that would end the path, or that no URL has, stays escaped.
local encodes, decodes, reads = {}, {}, {}
for c = 0, 255 do
  local char, upper, lower = string.char(c), string.format("%02X", c), string.format("%02x", c)
  encodes[char] = "%" .. upper
  for _, hex in ipairs({ upper, lower, sub(upper, 1, 1) .. sub(lower, 2), sub(lower, 1, 1) .. sub(upper, 2) }) do
    decodes[hex] = find(char, "[A-Za-z0-9._~-]") and char or "%" .. upper
    reads[hex] = find(char, "[/A-Za-z0-9._=&+:;,~!'()@%[%]-]") and char or "%" .. upper
  end
end
local ESCAPE = "%%([0-9A-Fa-f][0-9A-Fa-f])"
local PLAIN = "A-Za-z0-9/._?=&+:;,~!'()@%[%]-" -- the bytes that stay

local function normal(path)
  if not find(path, "[^" .. PLAIN .. "]") then return path end
  return (gsub(gsub(path, ESCAPE, decodes), "[^%%" .. PLAIN .. "]", encodes))
end

-- pathOf returns the part of a target that is compared with rules, in normal form; or nil if the target has none. With
-- whole, a "#" is a byte of the path, and does not end it.
local function pathOf(target, whole)
  if byte(target) ~= 47 then
    target = gsub(gsub(target, "^[A-Za-z][A-Za-z0-9+.-]*:", "", 1), "^//[^/?;#]*", "", 1)
    if not find(target, "^[/?;#]") and target ~= "" then return nil end
  end
  local hash = find(target, "#", 1, true)
  if hash then target = whole and gsub(target, "#", "%%23") or sub(target, 1, hash - 1) end
  if byte(target) ~= 47 then target = "/" .. target end
  return normal(target)
end

-- resolved returns a path without "." and ".." and, if slashes are merged, without empty segments before the last one.
-- With bare, last dots leave no slash.
local function resolved(path, merged, bare)
  local segments, n, last = {}, 0, nil
  for segment in string.gmatch(path, "/([^/]*)") do
    if segment == ".." then
      n = n > 0 and n - 1 or 0
    elseif segment ~= "." and (segment ~= "" or not merged) then
      n = n + 1
      segments[n] = segment
    end
    last = segment
  end
  if (last == "." or last == "..") and (not bare or n == 0) or last == "" and merged then
    n = n + 1
    segments[n] = ""
  end
  return "/" .. table.concat(segments, "/", 1, n)
end

-- served returns the path that a server reads in a path in normal form, in one of the ways of data.readings. With
-- bare, a last "%2F" leaves no slash either.
local function served(path, way)
  local query = find(path, "?", 1, true) or #path + 1
  local text = sub(path, 1, query - 1)
  local merged = way.merged and not way.late
  if way.twice then text = resolved(text, merged) end
  local inner = way.bare and way.slashes and sub(text, -3) == "%2F"
  text = gsub(text, ESCAPE, function(hex) return (way.slashes or reads[hex] ~= "/") and reads[hex] end)
  text = resolved(text, merged, way.bare)
  if inner and text ~= "/" then text = sub(text, 1, -2) end
  if way.late then text = resolved(text, true) end
  return text .. sub(path, query)
end

-- A group has its rules in the order of their strength: the longest first, and of equal ones Allow before Disallow.
-- The number of a rule is its place, so of the rules that match the one with the lowest number decides.
local groups = {}

-- under returns the entry of a table, which is a new table at first.
local function under(t, key)
  local value = t[key]
  if not value then
    value = {}
    t[key] = value
  end
  return value
end

-- addRule adds a rule to a group. Rules are found by their stem, the text before the first "*", and stems by their
-- folder and their length.
local function addRule(group, allow, line, pattern)
  local n = #group.lines + 1
  group.lines[n], group.allows[n] = tonumber(line), allow == "allow"
  local whole = sub(pattern, -1) == "$"
  if whole then pattern = sub(pattern, 1, -2) end
  local star = find(pattern, "*", 1, true)
  if whole and not star then
    group.paths[pattern] = group.paths[pattern] or n
    return
  end
  local stem = star and sub(pattern, 1, star - 1) or pattern
  local found = under(group.stems, stem)
  found.past = #stem + 1
  if star then
    local rule = { number = n, whole = whole }
    for segment in string.gmatch(sub(pattern, star), "[^*]+") do rule[#rule + 1] = segment end
    found.wild = found.wild or {}
    table.insert(found.wild, rule)
  else
    found.plain = found.plain or n
  end
  local slash = find(stem, "/", 1, true)
  while slash do
    under(group.lengths, sub(stem, 1, slash))
    slash = find(stem, "/", slash + 1, true)
  end
  under(group.lengths, match(stem, "^.*/") or "")[#stem] = true
end

-- gramsOf indexes many rules with "*" by three bytes of each, the rarest: only rules with bytes of the path are tried.
-- Rules with shorter segments are in the list always.
local function gramsOf(rules)
  local counts = {}
  local function each(rule, f)
    for _, segment in ipairs(rule) do
      for i = 1, #segment - 2 do f(sub(segment, i, i + 2)) end
    end
  end
  for _, rule in ipairs(rules) do
    each(rule, function(gram) counts[gram] = (counts[gram] or 0) + 1 end)
  end
  local index = { always = {} }
  for _, rule in ipairs(rules) do
    local rarest
    each(rule, function(gram)
      if not rarest or counts[gram] < counts[rarest] then rarest = gram end
    end)
    table.insert(under(index, rarest or "always"), rule)
  end
  return index
end

local manyRules = 16

-- finish makes the lists by which a group finds its rules.
local function finish(group)
  for folder, set in pairs(group.lengths) do
    local list = {}
    for length in pairs(set) do list[#list + 1] = length end
    table.sort(list)
    group.lengths[folder] = list
  end
  for _, found in pairs(group.stems) do
    if found.wild and #found.wild > manyRules then
      found.grams = gramsOf(found.wild)
      found.wild = nil
    end
  end
end

-- A line of the rules is "group" or a rule: "allow" or "disallow", the number of its line in robots.txt, a colon, and
-- its pattern in normal form, without a "*" at the end.
for word, line, pattern in string.gmatch(data.rules, "(%a+) ?(%d*):([^\n]*)") do
  if word == "group" then
    groups[#groups + 1] = { lines = {}, allows = {}, paths = {}, stems = {}, lengths = {} }
  else
    addRule(groups[#groups], word, line, pattern)
  end
end
for _, group in ipairs(groups) do finish(group) end

-- fits reports whether the segments of a rule follow each other in a path from a place on. The first place of each
-- segment is as good as any later one, so no step is taken back.
local function fits(rule, path, from)
  local last = #rule
  for i = 1, rule.whole and last - 1 or last do
    local _, stop = find(path, rule[i], from, true)
    if not stop then return false end
    from = stop + 1
  end
  return not rule.whole or #path - #rule[last] + 1 >= from and sub(path, -#rule[last]) == rule[last]
end

-- best returns the lowest number of the rules that fit, or the number that is given.
local function best(rules, path, from, number)
  for _, rule in ipairs(rules) do
    if rule.number >= number then break end
    if fits(rule, path, from) then return rule.number end
  end
  return number
end

local function bestOf(grams, path, from, number)
  local seen = {}
  number = best(grams.always, path, from, number)
  for i = from, #path - 2 do
    local gram = sub(path, i, i + 2)
    local rules = grams[gram]
    if rules and not seen[gram] then
      seen[gram] = true
      number = best(rules, path, from, number)
    end
  end
  return number
end

-- decide returns the number of the rule of a group that decides for a path, or nil.
local function decide(group, path)
  local number = group.paths[path] or math.huge
  local wild, places = {}, 0
  local slash = 0
  while slash do
    local lengths = group.lengths[sub(path, 1, slash)]
    if lengths then
      for _, length in ipairs(lengths) do
        if length > #path then break end
        local found = group.stems[sub(path, 1, length)]
        if found then
          if found.plain and found.plain < number then number = found.plain end
          if found.wild or found.grams then
            places = places + 1
            wild[places] = found
          end
        end
      end
    elseif slash > 0 then
      break
    end
    slash = find(path, "/", slash + 1, true)
  end
  for _, found in ipairs(wild) do
    if found.wild then
      number = best(found.wild, path, found.past, number)
    else
      number = bestOf(found.grams, path, found.past, number)
    end
  end
  if number < math.huge then return number end
end
