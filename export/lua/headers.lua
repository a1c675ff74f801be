-- Which robot a User-Agent header names. This is Lookup of the Go package agent, in Lua 5.1 to 5.4 and LuaJIT:
-- lookup(header) returns the kind of the program, its entry in the list of robots (or nil), and otherwise
-- its name in the header (or nil). Patterns name all letters, because %a and %w depend on the locale.

local byte, find, gsub, match, sub = string.byte, string.find, string.gsub, string.match, string.sub

-- Words and names are compared in lower case, and some programs write + instead of blanks.
local folds = { ["+"] = " " }
for c = 65, 90 do folds[string.char(c)] = string.char(c + 32) end
local function fold(text) return (gsub(text, "[A-Z+]", folds)) end

-- names has the words and names that are known: each with "classes", a set of classes of words; "robot", the entry
-- of the robot with this name; and "longer" if other names start with this name and a blank.
-- parts, makers and inside are lists of starts and parts of words.
local names, parts, makers, inside = {}, {}, {}, {}
local kinds = { part = parts, ending = parts, maker = makers, inside = inside }

local function entry(name)
  names[name] = names[name] or { classes = {} }
  return names[name]
end

local function addName(name)
  local blank = find(name, " ", 1, true)
  while blank do
    entry(sub(name, 1, blank - 1)).longer = true
    blank = find(name, " ", blank + 1, true)
  end
  return entry(name)
end

-- A line of the words is classes, a colon, and words with commas between them.
for classes, list in string.gmatch(data.words, "([^:\n]*):([^\n]*)") do
  for word in string.gmatch(list, "[^,]+") do
    if kinds[classes] then
      table.insert(kinds[classes], { text = word, ends = classes == "ending" })
    else
      local known = classes == "" and entry(word) or addName(word)
      for class in string.gmatch(classes, "[^ ]+") do known.classes[class] = true end
    end
  end
end

-- A line of the robots is "robot" or "program", the number of names that it obeys, the numbers of its group and of its
-- pace (or 0), a colon, and names in headers with commas between them.
for kind, level, group, pace, apps, list in string.gmatch(data.robots, "(%a+) (%d+) (%d+) (%d+) (%d+):([^\n]*)") do
  for name in string.gmatch(list, "[^,]+") do
    addName(name).robot = { kind = kind, level = tonumber(level), group = tonumber(group), pace = tonumber(pace), apps = apps == "1", name = name }
  end
end

local WORD = "[0-9A-Za-z_!%%\128-\255-]" -- the bytes of words, besides dots between them
local LETTER = "[A-Za-z\128-\255]"

-- pastVersion returns the end of the version after the slash at a place. A name after a second slash is a
-- separate word, as in "Firefox/3.6.8/Nutch-1.7", if the version before starts with a digit; so is a
-- name that a program has added to "Mozilla/5.0" without a blank. "@package_version@", which a build did not
-- replace, is a version. The name of a system, as in "Foo/iOS", is none.
local systems = { android = true, ios = true, iphone = true, ipad = true, macos = true }
local function pastVersion(text, slash, word)
  if systems[fold(match(text, "^[A-Za-z]*", slash + 1))] then return slash end
  local _, name = find(text, "^@" .. WORD .. "+@", slash + 1)
  if name then return name + 1 end
  local version = match(text, "^[0-9A-Za-z_!%%\128-\255./-]*", slash + 1)
  local past = slash + 1 + #version
  if find(version, "^[0-9]") then
    local name = find(version, "/[A-Za-z]")
    if name then past = slash + name end
    local letter = word == "mozilla" and find(version, "[A-Za-z]")
    if letter and slash + letter < past then past = slash + letter end
  end
  return past
end

-- isAddress reports whether an address starts with a word: "http" before "://", "www.foo.example", "foo" before
-- "@foo.example".
local function isAddress(text, word, past)
  if sub(word, 1, 4) == "www." then return true end
  if sub(text, past, past + 2) == "://" then return sub(word, 1, 4) == "http" or sub(word, 1, 3) == "ftp" end
  return find(text, "^@" .. WORD .. "+%.[A-Za-z]", past) ~= nil
end

-- step advances w to the next word of its text, and reports whether there is one. The text after a word and a
-- slash is a version and no word. An address is one word.
local function step(w)
  local text, from = w.text, w.next
  local start = find(text, WORD, from)
  if not start then return false end
  w.opens, w.comment, w.comma = from == 1, false, false -- the word is the first of its part of the header; of a comment
  if start > from then
    local between = sub(text, from, start - 1)
    w.comment = find(between, "[()%[%]]") ~= nil
    w.comma = find(between, ",", 1, true) ~= nil
    w.opens = w.opens or find(between, '[()%[%];,"|]') ~= nil
  end
  w.joined = start == w.stop + 2 and find(text, "^[ +]", w.stop + 1) ~= nil -- to the word before, by one blank
  local _, stop = find(text, "^" .. WORD .. "+", start)
  repeat
    local _, more = find(text, "^%." .. WORD .. "+", stop + 1)
    stop = more or stop
  until not more
  local past = stop + 1
  w.version = byte(text, past) == 47
  w.address = isAddress(text, sub(w.folded, start, stop), past)
  if w.address then
    past = find(text, '[%z\1-\32()%[%]<>{}";,|]', past) or #text + 1
    stop = past - 1
  elseif w.version then
    past = pastVersion(text, past, sub(w.folded, start, stop))
  end
  w.start, w.stop, w.next = start, stop, past
  return true
end

local state = { "start", "stop", "next", "opens", "comment", "comma", "joined", "version", "address" }

local function copy(from, to)
  for _, field in ipairs(state) do to[field] = from[field] end
  return to
end

-- unversioned returns a word without the version at its end, as in "Nutch-1.9" and "bingbot2.0".
local function unversioned(word)
  local head = match(word, "^.*[^0-9.]") or ""
  if #head == #word then return word end
  return match(head, "^.*[^_-]") or ""
end

-- isName reports whether a word that is in no list can be a name.
local function isName(word, version)
  local letter = find(word, LETTER)
  if not letter then return false end
  return version or #word > 2 and find(word, LETTER, letter + 1) ~= nil and not find(word, "^[A-Za-z][A-Za-z][-_][A-Za-z][A-Za-z]$")
end

-- endsPart reports whether a part of a word ends before a place.
local function endsPart(word, at)
  return not find(word, "^[A-Za-z]", at) or find(word, "^[^A-Z][A-Z]", at - 1) ~= nil
end

-- robotPart returns the first part of a word that robots go by, and its place; or nil.
local function robotPart(word)
  local folded, first, at = fold(word), nil, #word + 1
  for _, part in ipairs(parts) do
    local from, to = find(folded, part.text, 1, true)
    while from and part.ends and not endsPart(word, to + 1) do from, to = find(folded, part.text, from + 1, true) end
    if from and from < at then first, at = part.text, from end
  end
  return first, at
end

local tops = { com = true, net = true, org = true, io = true, ai = true, info = true, eu = true, de = true, fr = true, ru = true }

-- isHost reports whether a word is the name of a host, as far as can be told from names like Node.js.
local function isHost(word)
  local name, top = match(word, "^(.*)%.([A-Za-z]+)$")
  return name ~= nil and #name > 1 and tops[fold(top)] == true
end

-- isDevice reports whether a word is the name of a device, or of a program for one, by how it starts or by what it
-- contains, as in "Nokia303" and "FooAndroid".
local function isDevice(word)
  local folded = fold(word)
  for _, part in ipairs(inside) do
    if find(folded, part.text, 1, true) then return not robotPart(word) end
  end
  for _, maker in ipairs(makers) do
    if sub(folded, 1, #maker.text) == maker.text and find(word, "[0-9_]", #maker.text + 1) then return not robotPart(word) end
  end
  return false
end

-- isApp reports whether a word is the name of a program for mail, music or films, or of another app, by how it ends.
local function isApp(word)
  return sub(word, -6) == "Player" or sub(word, -3) == "App" and #word > 3 or sub(word, -4) == "Mail" and #word > 4 and fold(word) ~= "email" or sub(word, -5) == "Email" and #word > 5
end

-- nearby returns the name to which a word belongs that is no name itself.
local function nearby(s) return s.lead or s.last or s.appWord end

-- classify records a word of these classes in s.
local function classify(s, word, is)
  for class in pairs(is) do s.seen[class] = true end
  if is.robot and not s.robotWord then
    s.robotWord, s.robotName = word, word
    if find(word, "^[a-z]") or find(word, "[ +]") then s.robotName = nearby(s) or match(word, "^[^ +]*") end
  end
  if is.tool or is.library and s.count == 1 then s.toolWord = s.toolWord or word end
  if is.app or is.client and s.count == 1 then s.appWord = s.appWord or word end
  if is.role then s.roleWord = s.roleWord or word end
  if is.browser then s.browserWord = s.browserWord or word end
  if is.mozilla or is.engine then s.engineWord = s.engineWord or word end
  if is.engine and s.version then s.engines = s.engines + 1 end
  if is.device then s.deviceWord = s.deviceWord or word end
  if is.android then s.device = "system" end
  if is.compatible or is.gecko and s.afterKHTML then
    s.plays, s.device = true, nil
  elseif is.mozilla or is.browser or is.engine or is.system or is.device then
    s.plays = false
  end
  s.afterKHTML = s.afterKHTML or is.khtml
  s.others = is.others
end

local function noteAddress(s, word)
  if not s.addressWord then s.addressWord, s.addressName = word, nearby(s) end
end

-- name records a word that is in no list.
local function name(s, word)
  if not s.robotWord then
    local part, at = robotPart(word)
    if part then
      s.robotWord, s.robotName = word, word
      if at == 1 and not find(word, "[^a-z]", #part + 1) then -- just "crawler"
        s.robotName = nearby(s) or word
        return
      end
    end
  end
  local host = isHost(word)
  if host then noteAddress(s, word) end
  if not isName(word, s.version) then return end
  if s.count == 1 then s.lead = word end
  s.first = s.first or word
  if not s.named and not host then s.last, s.named = word, true end
  if s.plays then s.playing = s.playing or word end
end

-- look looks up the longest name that starts with the word, whose entry is known, and advances to its last word. It
-- returns the name, its classes, and whether a robot has the name, or a part of the name.
local function look(s, known, others)
  local first, word = s.start, sub(s.text, s.start, s.stop)
  local is, robot = known.classes, known.robot
  if known.longer then
    local ahead, last = copy(s, { text = s.text, folded = s.folded }), nil
    while known.longer and step(ahead) and ahead.joined and not ahead.address do
      known = names[sub(s.folded, first, ahead.stop)]
      if not known then break end
      if known.robot then robot, last = known.robot, copy(ahead, {}) end
      if next(known.classes) then word, is, last = sub(s.text, first, ahead.stop), known.classes, copy(ahead, {}) end
    end
    if last then copy(last, s) end
  end
  if robot and not others then
    local place = robot.kind == "program" and "program" or "robot"
    if not s[place] or robot.level > s[place].level then s[place] = robot end
  end
  return word, is, robot ~= nil
end

-- take records what the word says.
local function take(s)
  s.count = s.count + 1
  if s.comment then s.device, s.afterKHTML, s.plays = nil, nil, false end
  if s.comma and s.afterKHTML and s.deviceWord then s.plays = false end -- "KHTML, like Gecko, HEVC": what it can do
  if s.opens then
    s.named = false
    -- The place in a comment like "Linux; U; Android 4.2.2; es-es; CUBOT GT72E Build/JDQ39", which has the name of a
    -- device: nil, "system" at Android, "past" after that, then "inside" the name.
    s.device = (s.device == "system" or s.device == "past") and "past" or nil
  end
  local others, word = s.others, sub(s.text, s.start, s.stop)
  s.others = nil
  if s.address then return noteAddress(s, word) end
  if s.device == "inside" then return end
  local stem, known = word, names[sub(s.folded, s.start, s.stop)]
  if not known then
    stem = unversioned(word)
    known = names[fold(stem)]
  end
  local is = known and known.classes or {}
  if s.device == "past" and isName(word, s.version) and not (is.plain or is.compatible or is.robot) then
    s.device = "inside"
    return
  end
  local listed = false
  if known then word, is, listed = look(s, known, others) end
  if not listed and not next(is) then
    if sub(fold(stem), -7) == "browser" then
      is = { browser = true }
    elseif isApp(stem) then
      is = { app = true }
    elseif s.count == 1 and isDevice(word) then
      s.lead, is = word, { device = true }
    end
  end
  if next(is) then return classify(s, word, is) end
  if not listed and not others then name(s, word) end
end

-- isAppOfService reports whether the header is that of an app with the name of a service, such as "Feedly/81.0
-- CFNetwork/1494 Darwin/23", and not that of the robot of the service.
local function isAppOfService(s)
  local seen = s.seen
  if not s.robot.apps or s.addressWord or s.robotWord or seen.compatible then return false end
  return seen.runtime or s.deviceWord or s.roleWord and sub(fold(s.roleWord), -3) == "app" or not s.engineWord and seen.desktop
end

local function lookup(header)
  local s = { text = header, folded = fold(header), next = 1, stop = 0, count = 0, engines = 0, seen = {} }
  while step(s) do take(s) end
  local seen = s.seen
  local system = s.deviceWord or seen.desktop
  if s.robot and isAppOfService(s) then return "app" end
  if s.robot then return "robot", s.robot end
  if seen.runtime then return "app" end
  if s.robotWord then return "robot", nil, s.robotName end
  if s.appWord then return s.appWord == s.browserWord and "browser" or "app" end
  if s.roleWord then return "app" end
  if s.addressWord and system and not s.engineWord then return "app" end
  if s.addressWord then
    local called = s.addressName or s.first
    if not called and s.program then return "program", s.program end
    return "robot", nil, called or s.toolWord
  end
  if s.playing and s.engineWord and not s.browserWord and not seen.msie then return "robot", nil, s.playing end
  if s.browserWord then return "browser" end
  if system and s.lead and not s.engineWord then return "app" end
  if s.program then return "program", s.program end
  if s.toolWord then return "program", nil, s.toolWord end
  if s.engineWord and (seen.system or seen.device or seen.mozilla and s.engines > 1) then return "browser" end
  if system then return "app" end
  if s.first then return "program", nil, s.first end
  return "unknown"
end
