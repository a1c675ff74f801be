package logs

import "strconv"

// agents are the User-Agents of a log: those of robots, and those of browsers.
type agents struct {
	robots, browsers [][]byte
}

// agents returns the User-Agents that lines choose from.
func (l Log) agents() *agents {
	a := &agents{}
	for i := range l.Agents * robotShare / 100 {
		a.robots = append(a.robots, appendAgent(nil, true, i))
	}
	for i := range l.Agents - len(a.robots) {
		a.browsers = append(a.browsers, appendAgent(nil, false, i))
	}
	return a
}

// choose returns a User-Agent. Half of the lines have one of the first hundredth.
func (a *agents) choose(robot bool, dice uint64) []byte {
	list := a.browsers
	if robot {
		list = a.robots
	}
	among := uint64(len(list))
	if dice>>60 < 8 {
		among = (among + 99) / 100
	}
	return list[dice%among]
}

// appendAgent appends the User-Agent of a robot or a browser with a number, which no other number
// has.
func appendAgent(b []byte, robot bool, number int) []byte {
	if robot {
		name := robotNames[number%len(robotNames)]
		version := number / len(robotNames)
		b = append(b, "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; "...)
		b = append(b, name...)
		b = append(b, '/')
		b = appendVersion(b, 1, version)
		return append(b, "; +https://robots.example.com/about)"...)
	}
	system := systems[number%len(systems)]
	number /= len(systems)
	b = append(b, "Mozilla/5.0 ("...)
	b = append(b, system...)
	if number%4 == 0 {
		b = append(b, "; rv:128.0) Gecko/20100101 Firefox/"...)
		return appendVersion(b, 128, number/4)
	}
	b = append(b, ") AppleWebKit/537.36 (KHTML, like Gecko) Chrome/"...)
	b = appendVersion(b, 120, number)
	return append(b, " Safari/537.36"...)
}

// appendVersion appends a version of two numbers for a number.
func appendVersion(b []byte, first, number int) []byte {
	b = strconv.AppendInt(b, int64(first+number%20), 10)
	b = append(b, ".0."...)
	return strconv.AppendInt(b, int64(number/20), 10)
}

// robotNames are the product tokens of robots, known and unknown.
var robotNames = []string{
	"Googlebot", "bingbot", "GPTBot", "ClaudeBot", "CCBot", "AhrefsBot", "SemrushBot", "YandexBot", "Applebot",
	"Amazonbot", "PetalBot", "MJ12bot", "DotBot", "Bytespider", "PerplexityBot", "OAI-SearchBot", "Baiduspider",
	"DuckDuckBot", "archive.org_bot", "ExampleBot", "lab-crawler", "NewsSpider", "linkwalker",
}

// systems are what browsers say of the systems that they run on.
var systems = []string{
	"Windows NT 10.0; Win64; x64", "Macintosh; Intel Mac OS X 10_15_7", "X11; Linux x86_64", "Linux; Android 10; K",
	"X11; CrOS x86_64 14541.0.0", "iPhone; CPU iPhone OS 18_5 like Mac OS X", "Windows NT 6.1; WOW64",
}
