
-- The pace that robots.txt asks of robots.

-- A line of the paces is the pause of Crawl-delay and how early a request may come, and the same of Request-rate, in
-- seconds. A pause of 0 is none.
local paces = {}
for line in string.gmatch(data.paces, "[^\n]+") do
  local list = {}
  for number in string.gmatch(line, "[^ ]+") do list[#list + 1] = tonumber(number) end
  paces[#paces + 1] = list
end

-- findPace returns the number of the pace of the robot of a header (or 0), and the name of the robot.
local function findPace(header)
  local kind, robot, name = lookup(header)
  if kind ~= "robot" then return 0 end
  if robot then return robot.pace, robot.name end
  local token = fold(match(name or "", "^[^ ]*"))
  return ownPace[token] or not errand(header) and data.everyonePace or 0, token == "" and sub(header, 1, 60) or sub(token, 1, 60)
end

-- paceOf returns the number of the pace of the robot of a header (or 0), and the name of the robot, in a table.
local pacesOf, count = {}, 0
local function paceOf(header)
  local known = pacesOf[header]
  if not known then
    known = { findPace(header) }
    if #header <= 1024 then
      if count == 4096 then pacesOf, count = {}, 0 end
      pacesOf[header], count = known, count + 1
    end
  end
  return known
end

-- paced reports whether the header names a robot that has to keep a pace.
function robots.paced(header) return #paces > 0 and paceOf(header)[1] > 0 end

-- pace returns the number of the pace that a request has to keep, and the name of its robot; or nil.
function robots.pace(header, target, method, address, field)
  if #paces == 0 or not header or not target then return nil end
  local known = paceOf(header)
  local path = known[1] > 0 and (pathOf(target) or "/robots.txt")
  if not path or path == "/robots.txt" or sub(path, 1, 12) == "/robots.txt?" or sub(path, 1, 13) == "/.well-known/" or
    passes(target, method, address, field) then return nil end
  return known[1], known[2]
end

-- slow returns for how many seconds the robot of a request has to wait, or nil if the request passes, which counts then.
-- due returns when the next request with a key is due, and setDue sets this.
function robots.slow(number, name, now, due, setDue)
  local list = paces[number]
  local times = {}
  for kind = 1, 3, 2 do
    if list[kind] > 0 then
      times[kind] = math.max(due(name .. "/" .. kind) or now, now)
      local wait = times[kind] - list[kind + 1] - now
      if wait > 0 then return math.ceil(wait) end
    end
  end
  for kind, time in pairs(times) do setDue(name .. "/" .. kind, time + list[kind], list[kind]) end
end
