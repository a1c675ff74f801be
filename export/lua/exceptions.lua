
-- The exceptions of the operator: requests that pass by their method, path, address or header.

-- items returns a set of the texts between commas, or nil if there are none.
local function items(text)
  local list
  for item in string.gmatch(text, "[^,]+") do
    list = list or {}
    list[#list + 1] = item
    list[item] = true
  end
  return list
end

local methods, passPaths, passAddresses = items(data.methods), items(data.passPaths), items(data.passAddresses)
local passHeaders = {}
for name, value in string.gmatch(data.passHeaders, "([^:\n]+):([^\n]+)") do passHeaders[#passHeaders + 1] = { name, value } end

-- clear reports whether all servers read a path in the same way: there is no dot at the start of a segment, and no escape
-- of a slash, a dot, a percent sign or a digit.
local function clear(path)
  if find(path, "[^0-9A-Za-z_~!&()*+,=:@/.%%-]") or find(path, "/.", 1, true) then return false end
  for at in string.gmatch(path, "()%%") do
    local hex = sub(path, at + 1, at + 2)
    if hex ~= "20" and not find(hex, "^[4689ABD-Fabd-f][0-9A-Fa-f]$") and not find(hex, "^[Cc][2-9A-Fa-f]$") then return false end
  end
  return true
end

local function passesPath(target)
  local path = match(gsub(target, "^[A-Za-z][A-Za-z0-9+.-]*://[^/?;#]*", "", 1), "^[^?]*")
  for _, prefix in ipairs(passPaths) do
    local after = sub(path, #prefix + 1, #prefix + 1)
    if sub(path, 1, #prefix) == prefix and (after == "" or after == "/" or sub(prefix, -1) == "/") then return clear(path) end
  end
end

-- bytesOfAddress returns the bytes of an address, 4 or 16, or nil.
local function bytesOfAddress(address)
  local list = { match(address, "^:?:?[Ff]*:?(%d+)%.(%d+)%.(%d+)%.(%d+)$") }
  if list[1] then return list end
  local head, tail = match(address, "^(.*)::(.*)$")
  local groups, after = {}, {}
  for group in string.gmatch(head or address, "[^:]+") do groups[#groups + 1] = tonumber(group, 16) end
  for group in string.gmatch(tail or "", "[^:]+") do after[#after + 1] = tonumber(group, 16) end
  if head then
    while #groups + #after < 8 do groups[#groups + 1] = 0 end
  end
  for _, group in ipairs(after) do groups[#groups + 1] = group end
  if #groups ~= 8 then return nil end
  for _, group in ipairs(groups) do
    list[#list + 1] = math.floor(group / 256)
    list[#list + 1] = group % 256
  end
  return list
end

local function within(bytes, range)
  local first, bits = match(range, "^(.*)/(%d+)$")
  local of = bytesOfAddress(first)
  if #of ~= #bytes then return false end
  bits = tonumber(bits)
  for i = 1, #of do
    if bits <= 0 then return true end
    local unit = bits < 8 and 2 ^ (8 - bits) or 1
    if math.floor(of[i] / unit) ~= math.floor(bytes[i] / unit) then return false end
    bits = bits - 8
  end
  return true
end

-- passes reports whether an exception lets a request pass. field returns the value of a header field, or nil.
local function passes(target, method, address, field)
  if methods and method and not methods[string.upper(method)] then return true end
  if passPaths and passesPath(target) then return true end
  if field then
    for _, header in ipairs(passHeaders) do
      if field(header[1]) == header[2] then return true end
    end
  end
  local bytes = passAddresses and address and bytesOfAddress(address)
  if bytes then
    for _, range in ipairs(passAddresses) do
      if within(bytes, range) then return true end
    end
  end
  return false
end
