
-- How each server asks. The header comes first: for most requests the target is not needed, and to ask the server for it takes time.

-- nginx sends a page for an error by an internal redirect, which must not be refused again.
function robots.nginx(ngx)
  local header = ngx.var.http_user_agent
  if not header or ngx.req.is_internal() then return end
  local group = robots.group(header)
  if not group and not robots.paced(header) then return end
  local function field(name) return ngx.var["http_" .. gsub(string.lower(name), "-", "_")] end
  local target, method, address = ngx.var.request_uri, ngx.req.get_method(), ngx.var.remote_addr
  if group and robots.refuse(header, target, method, address, field) then return ngx.exit(403) end
  local number, name = robots.pace(header, target, method, address, field)
  local dues = ngx.shared["robots_" .. data.site]
  if not number or not dues then return end
  local wait = robots.slow(number, name, ngx.now(), function(key) return dues:get(key) end,
    function(key, time, pause) dues:set(key, time, 2 * pause + 60) end)
  if wait then
    ngx.header["Retry-After"] = wait
    ngx.exit(429)
  end
end

-- Apache httpd has the target only in the first line of the request. Pages of errors are requests that are not the initial one.
function robots.apache(r)
  local header = r.headers_in["User-Agent"]
  local number = header and robots.group(header)
  local target = number and r.is_initial_req and match(r.the_request, "^[^ ]+ ([^ ]*)")
  if target and robots.refuse(header, target, r.method, r.useragent_ip, function(name) return r.headers_in[name] end) then return 403 end
  return apache2.DECLINED
end

-- lighttpd has one process for all requests, unless server.max-worker is set.
local dues, dueCount = {}, 0
local function setDue(key, time)
  if not dues[key] then
    if dueCount == 10000 then dues, dueCount = {}, 0 end
    dueCount = dueCount + 1
  end
  dues[key] = time
end

function robots.lighttpd(r)
  local header = r.req_header["User-Agent"]
  local group = header and robots.group(header)
  if not header or not group and not robots.paced(header) then return 0 end
  local function field(name) return r.req_header[name] end
  local target, method, address = r.req_attr["request.orig-uri"], r.req_attr["request.method"], r.req_attr["request.remote-addr"]
  if group and robots.refuse(header, target, method, address, field) then return 403 end
  local number, name = robots.pace(header, target, method, address, field)
  local wait = number and robots.slow(number, name, os.time(), function(key) return dues[key] end, setDue)
  if not wait then return 0 end
  r.resp_header["Retry-After"] = tostring(wait)
  r.resp_header["Content-Type"] = "text/plain; charset=utf-8"
  r.resp_body.set({ "429 Too Many Requests\n" }) -- without a body lighttpd drops the fields
  return 429
end

if apache2 then _G["robots_" .. data.site] = robots.apache end

-- HAProxy asks for the group by the header alone, which takes less time than a question about the request. It counts
-- by itself.
if core and core.register_converters then
  local function ask(request, question)
    return question(request.f:req_fhdr("user-agent", 1), request.f:pathq(), request.f:method(), request.f:src(),
      function(name) return request.f:req_fhdr(name, 1) end)
  end
  core.register_converters("robots_" .. data.site, robots.group)
  core.register_fetches("robots_" .. data.site, function(request) return ask(request, robots.refuse) ~= nil end)
  core.register_fetches("robots_" .. data.site .. "_pace", function(request)
    local number = ask(request, robots.pace)
    return number and tostring(number - 1)
  end)
  core.register_fetches("robots_" .. data.site .. "_key", function(request) return select(2, ask(request, robots.pace)) end)
end

package.loaded["robots-" .. data.site] = robots
if lighty then return robots.lighttpd(lighty.r) end
return robots
