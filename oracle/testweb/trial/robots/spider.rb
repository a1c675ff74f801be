# A spider on the Ruby library spider, which asks robots.txt and follows links by itself.
# Arguments: the seconds to wait before each request, and a User-Agent header.
require "spider"

Spider.start_at(ENV["START"]) do |s|
  pause, agent = ARGV
  s.setup { |url| sleep pause.to_f } if pause
  s.headers["User-Agent"] = agent if agent
end
