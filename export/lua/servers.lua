
-- How each server asks. The header comes first: for most requests the target is not needed, and to ask the server for it takes time.

-- nginx sends a page for an error by an internal redirect, which must not be refused again.
function robots.nginx(ngx)
  local header = ngx.var.http_user_agent
  local number = header and robots.group(header)
  if number and not ngx.req.is_internal() and robots.refuse(header, ngx.var.request_uri, ngx.req.get_method(), ngx.var.remote_addr,
    function(name) return ngx.var["http_" .. gsub(string.lower(name), "-", "_")] end) then ngx.exit(403) end
end

-- Apache httpd has the target only in the first line of the request. Pages of errors are requests that are not the initial one.
function robots.apache(r)
  local header = r.headers_in["User-Agent"]
  local number = header and robots.group(header)
  local target = number and r.is_initial_req and match(r.the_request, "^[^ ]+ ([^ ]*)")
  if target and robots.refuse(header, target, r.method, r.useragent_ip, function(name) return r.headers_in[name] end) then return 403 end
  return apache2.DECLINED
end

function robots.lighttpd(r)
  local header = r.req_header["User-Agent"]
  local number = header and robots.group(header)
  local refused = number and robots.refuse(header, r.req_attr["request.orig-uri"], r.req_attr["request.method"],
    r.req_attr["request.remote-addr"], function(name) return r.req_header[name] end)
  return refused and 403 or 0
end

if apache2 then _G["robots_" .. data.site] = robots.apache end

-- HAProxy asks for the group by the header alone, which takes less time than a question about the request.
if core and core.register_converters then
  core.register_converters("robots_" .. data.site, robots.group)
  core.register_fetches("robots_" .. data.site, function(request)
    return robots.refuse(request.f:req_fhdr("user-agent", 1), request.f:pathq(), request.f:method(), request.f:src(),
      function(name) return request.f:req_fhdr(name, 1) end) ~= nil
  end)
end

package.loaded["robots-" .. data.site] = robots
if lighty then return robots.lighttpd(lighty.r) end
return robots
