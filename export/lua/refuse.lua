
-- The decisions that the servers ask for.

local robots = {}

-- own and ownPace have the numbers of groups and paces by the names that robots.txt gives to robots. A line is two
-- numbers, a colon, and names with commas between them.
local own, ownPace = {}, {}
for number, pace, list in string.gmatch(data.tokens, "(%d+) (%d+):([^\n]*)") do
  for token in string.gmatch(list, "[^,]+") do own[token], ownPace[token] = tonumber(number), tonumber(pace) end
end

-- has reports whether a header in lower case has one of the parts in a list.
local function has(header, list)
  for part in string.gmatch(list, "[^,]+") do
    if find(header, part, 1, true) then return true end
  end
end

-- errand reports whether the header of a robot in no table says that the robot does not crawl.
local function errand(header)
  header = string.lower(header)
  return has(header, data.errands) and not has(header, data.crawls)
end

-- group returns the number of the group that the robot of a header obeys, or nil if the header names no robot that is
-- refused anything. Some headers are remembered, because most clients send the same few.
local remembered, count = {}, 0
function robots.group(header)
  local known = remembered[header]
  if known == nil then
    local kind, robot, name = lookup(header)
    known = kind == "robot" and (robot and robot.group or own[fold(match(name or "", "^[^ ]*"))] or
      not errand(header) and data.everyone)
    known = known and known > 0 and known or false
    if #header <= 1024 then
      if count == 4096 then remembered, count = {}, 0 end
      remembered[header], count = known, count + 1
    end
  end
  return known or nil
end

local function disallows(group, path)
  if path == "/robots.txt" or sub(path, 1, 12) == "/robots.txt?" or data.wellKnown and sub(path, 1, 13) == "/.well-known/" then return nil end
  local number = decide(group, path)
  if number and not group.allows[number] then return group.lines[number] end
end

-- disallowsServed is disallows for the paths that servers read in a path.
local function disallowsServed(group, path)
  local escaped = find(path, "%", 1, true)
  if not escaped and not find(path, "/[/.]") then return nil end
  for _, way in ipairs(data.readings) do
    local line = (escaped or not way.slashes) and disallows(group, served(path, way))
    if line then return line end
  end
end

-- disallowed returns the line of robots.txt that disallows a target to the robots of a group, as it was sent or as a
-- server may read it; or nil.
function robots.disallowed(number, target)
  local path = pathOf(target)
  if not path then return nil end
  local line = disallows(groups[number], path) or disallowsServed(groups[number], path)
  -- To some servers "#" is a byte of the path.
  if not line and find(target, "#", 1, true) then
    line = disallowsServed(groups[number], pathOf(target, true))
  end
  return line
end

-- refuse returns the line of robots.txt for which a server refuses a target to a client with this User-Agent header,
-- or nil if the request passes. Without a method the request is a GET; the address of the client, and a function that returns
-- the value of a header field, are for exceptions.
function robots.refuse(header, target, method, address, field)
  local number = header and robots.group(header)
  local line = number and robots.disallowed(number, target)
  return line and not passes(target, method, address, field) and line or nil
end
