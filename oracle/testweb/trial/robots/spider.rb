# A spider on the Ruby library spider, which asks robots.txt and follows links by itself. It visits
# each exercise apart, because endless redirects end the library with a stack overflow.
# Arguments: the seconds to wait before each request, and a User-Agent header.
require "spider"

pause, agent = ARGV
File.readlines(ENV["SEEDS"], chomp: true).each do |seed|
  Spider.start_at(seed) do |s|
    s.add_url_check { |url| url.start_with?(seed) }
    s.setup { |url| sleep pause.to_f } if pause
    s.headers["User-Agent"] = agent if agent
  end
rescue SystemStackError => e
  puts "#{seed}: #{e}"
end
