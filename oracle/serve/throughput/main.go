// Throughput measures "robots serve" beside a bare net/http handler that writes the same JSON, in
// turn on this machine. Both have one core, and the questions come from this process:
//
//	cd oracle && go run ./serve/throughput
//
// The comparison is of the handlers: both servers have the same limits of time and size and the
// same protocols, because no server should be in a network without limits. The bare handler sends
// the fields that HTTP requires or net/http adds: Date, Content-Type and Content-Length. The
// service also sends ETag, Cache-Control and three fields against misuse by browsers.
//
// It prints the requests a second of each for an origin that is in memory, the times to an answer
// while many connections ask at a steady rate, and the answers a second of questions in lines. With
// -origins, it asks for as many origins instead, and prints the memory of the service; each origin
// is an address of 127.0.0.0/8, and each question a fetch over a new connection, so the service has
// all cores then: a million took 14 minutes on two busy ones. It reads /proc, so it needs Linux.
package main

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/robotsexclusion/robots/oracle/internal/process"
)

const rules = "User-agent: *\nDisallow: /private/\nDisallow: /*.php$\nAllow: /private/open\n\nUser-agent: GPTBot\nDisallow: /\n"

func main() {
	log.SetFlags(0)
	var f process.Flood
	f.AddFlags(flag.CommandLine, "be the bare handler that writes the text of `file`", 50_000, 5)
	connections := flag.Int("connections", 1000, "connections that ask at a steady rate")
	rate := flag.Int("rate", 5000, "the steady rate, in requests a second")
	length := flag.Duration("length", 10*time.Second, "the length of the steady rate")
	lines := flag.Int("lines", 100_000, "questions of a request in lines")
	origins := flag.Int("origins", 0, "ask for this number of origins, and print the memory")
	flag.Parse()
	if f.Bare != "" {
		check(serveBare(f.Bare, f.Listen))
	}
	dir, err := os.MkdirTemp("", "throughput")
	check(err)
	defer os.RemoveAll(dir)
	port := site()
	program := filepath.Join(dir, "robotsd")
	build := exec.Command("go", "build", "-o", program, "./robotsd")
	build.Dir, build.Stderr = "..", os.Stderr
	check(build.Run())
	cores := "GOMAXPROCS=1"
	if *origins > 0 {
		cores = "GOMAXPROCS=" + strconv.Itoa(runtime.NumCPU())
	}
	service := start("robots serve", program, cores,
		func(a string) []string { return []string{"serve", "--allow-private", "--listen", a} })
	defer service.Stop()
	if *origins > 0 {
		measureMemory(service, port, *origins, f.Clients)
		return
	}
	question := matchOf(port, 0)
	answer := filepath.Join(dir, "answer.json")
	check(os.WriteFile(answer, dial(service.Address).ask(get(service.Address, question)), 0o600))
	self, err := os.Executable()
	check(err)
	plain := start("bare handler", self, cores, func(a string) []string {
		return []string{"-bare", answer, "-listen",
			a}
	})
	defer plain.Stop()
	servers := []*process.Server{plain, service}
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	measureRate(out, servers, question, f.Requests, f.Rounds, f.Clients)
	measureTimes(out, servers, question, *connections, *rate, *length)
	measureLines(out, service, *lines, f.Rounds)
	out.Flush()
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// start starts a server with an environment variable that limits its cores.
func start(name, program, cores string, args func(address string) []string) *process.Server {
	s, err := process.Start(name, program, args, cores)
	check(err)
	return s
}

// serveBare answers every request with the text of a file. The server is that of
// robotsd/serve.go.
func serveBare(name, address string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(true)
	web := http.Server{
		Addr: address, Protocols: protocols,
		ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Write(text)
		}),
	}
	return web.ListenAndServe()
}

// site serves robots.txt at all addresses of loopback, and returns the port. With net/http it would
// cost more than the service spends on a fetch, so that a million origins took minutes longer.
func site() (port string) {
	l, err := net.Listen("tcp4", "0.0.0.0:0")
	check(err)
	answer := fmt.Appendf(nil,
		"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", len(rules),
		rules)
	go func() {
		for {
			c, err := l.Accept()
			check(err)
			go func() {
				defer c.Close()
				var request [4 << 10]byte
				for n := 0; !bytes.HasSuffix(request[:n], []byte("\r\n\r\n")); {
					more, err := c.Read(request[n:])
					if err != nil {
						return // the service gave the connection up
					}
					n += more
				}
				c.Write(answer)
			}()
		}
	}()
	_, port, err = net.SplitHostPort(l.Addr().String())
	check(err)
	return port
}

// matchOf returns the target of a question about an origin, by its number from 0 to 2^24-2.
func matchOf(port string, origin int) string {
	n := origin + 1
	host := fmt.Sprintf("127.%d.%d.%d", n>>16&255, n>>8&255, n&255)
	return "/v1/match?" + url.Values{"url": {"http://" + net.JoinHostPort(host, port) + "/private/page"},
		"agent": {"ExampleBot"}}.Encode()
}

func get(address, target string) []byte {
	return fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: throughput\r\n\r\n", target, address)
}

// A conn is a client that costs less than the servers, so that these are measured.
type conn struct {
	net.Conn
	in   *bufio.Reader
	body []byte
}

func dial(address string) *conn {
	c, err := net.Dial("tcp", address)
	check(err)
	return &conn{Conn: c, in: bufio.NewReader(c)}
}

// ask sends a request, and returns the body of the answer until the next question.
func (c *conn) ask(request []byte) []byte {
	_, err := c.Write(request)
	check(err)
	status, err := c.in.ReadSlice('\n')
	check(err)
	if !bytes.HasPrefix(status, []byte("HTTP/1.1 200 ")) {
		rest, _ := io.ReadAll(io.LimitReader(c.in, int64(c.in.Buffered())))
		log.Fatalf("the answer is %s%s", status, rest)
	}
	size := -1
	for {
		line, err := c.in.ReadSlice('\n')
		check(err)
		if len(line) <= 2 {
			break
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			size, err = strconv.Atoi(string(bytes.TrimSpace(value)))
			check(err)
		}
	}
	if size < 0 {
		check(errors.New("the answer has no Content-Length"))
	}
	c.body = slices.Grow(c.body[:0], size)[:size]
	_, err = io.ReadFull(c.in, c.body)
	check(err)
	return c.body
}

// measureRate prints how many requests a second each server answers.
func measureRate(out io.Writer, servers []*process.Server, target string, requests, rounds, clients int) {
	fmt.Fprintf(out, "one origin in memory, %d connections\trequests/s\tµs CPU a request\t\n", clients)
	rates, costs := make([][]float64, len(servers)), make([][]float64, len(servers))
	for i := range rounds + 1 {
		for j, s := range servers {
			rate, cost := flood(s, clients, requests, func(int) []byte { return get(s.Address, target) })
			if i > 0 { // the first round warms up
				rates[j], costs[j] = append(rates[j], rate), append(costs[j], cost)
			}
		}
	}
	first := process.Median(rates[0])
	for j, s := range servers {
		rate := process.Median(rates[j])
		fmt.Fprintf(out, "%s (%.2f)\t%.0f\t%.1f\t\n", s.Name, rate/first, rate, process.Median(costs[j]))
	}
}

// flood sends requests as fast as it can, and returns the requests a second, and the processor time
// of one in microseconds.
func flood(s *process.Server, clients, requests int, request func(i int) []byte) (rate, cost float64) {
	rate, cost, err := s.Round(clients, requests, func(next func() (int, bool)) {
		c := dial(s.Address)
		defer c.Close()
		for i, more := next(); more; i, more = next() {
			c.ask(request(i))
		}
	})
	check(err)
	return rate, cost
}

func used(s *process.Server) time.Duration {
	cpu, err := s.CPU()
	check(err)
	return cpu
}

// measureTimes prints the times from when a question was due to its answer.
func measureTimes(out io.Writer, servers []*process.Server, target string, connections, rate int,
	length time.Duration) {
	fmt.Fprintf(out, "\t\t\t\n%d connections, %d requests/s\tp50 ms\tp99 ms\tlargest ms\t\n", connections, rate)
	for _, s := range servers {
		times := steady(s.Address, target, connections, rate, length)
		slices.Sort(times)
		at := func(share float64) float64 {
			return float64(times[int(share*float64(len(times)-1))].Microseconds()) / 1000
		}
		fmt.Fprintf(out, "%s\t%.2f\t%.2f\t%.2f\t\n", s.Name, at(.5), at(.99), at(1))
	}
}

// steady sends requests over connections at a steady rate. A question that is late because the
// answer before it was late counts from when it was due.
func steady(address, target string, connections, rate int, length time.Duration) (times []time.Duration) {
	conns := make([]*conn, connections)
	for i := range conns {
		conns[i] = dial(address)
		conns[i].ask(get(address, target))
		defer conns[i].Close()
	}
	interval := time.Second * time.Duration(connections) / time.Duration(rate) // between two questions of a connection
	began := time.Now().Add(100 * time.Millisecond)
	var mu sync.Mutex
	var all sync.WaitGroup
	for i, c := range conns {
		all.Go(func() {
			var mine []time.Duration
			request := get(address, target)
			for due := began.Add(interval * time.Duration(i) / time.Duration(connections)); due.Before(began.Add(length)); due = due.Add(interval) {
				time.Sleep(time.Until(due))
				c.ask(request)
				mine = append(mine, time.Since(due))
			}
			mu.Lock()
			defer mu.Unlock()
			times = append(times, mine...)
		})
	}
	all.Wait()
	return times
}

// measureLines prints how many questions in lines the service answers.
func measureLines(out io.Writer, s *process.Server, lines, rounds int) {
	var questions bytes.Buffer
	fmt.Fprintf(&questions, "{\"robots\":%q,\"url\":\"/\"}\n", rules)
	for i := range lines - 1 {
		fmt.Fprintf(&questions, "{\"agent\":\"ExampleBot\",\"url\":\"/private/page-%d\"}\n", i)
	}
	var rates, costs []float64
	for i := range rounds + 1 {
		before, began := used(s), time.Now()
		answer, err := http.Post("http://"+s.Address+"/v1/match", "application/jsonl",
			bytes.NewReader(questions.Bytes()))
		check(err)
		n := 0
		for in := bufio.NewScanner(answer.Body); in.Scan(); n++ {
			if !strings.HasPrefix(in.Text(), `{"allowed":`) {
				log.Fatalf("the answer is %s", in.Text())
			}
		}
		answer.Body.Close()
		if n != lines {
			log.Fatalf("got %d answers to %d questions", n, lines)
		}
		if i > 0 {
			rates = append(rates, float64(lines)/time.Since(began).Seconds())
			costs = append(costs, float64((used(s)-before).Nanoseconds())/float64(lines)/1000)
		}
	}
	fmt.Fprintf(out, "\t\t\t\nquestions in lines, one connection\tanswers/s\tµs CPU an answer\t\n%s\t%.0f\t%.2f\t\n",
		s.Name, process.Median(rates), process.Median(costs))
}

// measureMemory asks for many origins, and prints the memory of the service while their number
// grows.
func measureMemory(s *process.Server, port string, origins, clients int) {
	fmt.Println("origins  MB now  MB at most  origins/s  µs CPU an origin")
	done := 0
	for n := min(1000, origins); ; n = min(n*10, origins) {
		first := done
		rate, cost := flood(s, clients, n-done, func(i int) []byte { return get(s.Address, matchOf(port, first+i)) })
		done = n
		now, most, err := s.Memory()
		check(err)
		fmt.Printf("%7d  %6d  %10d  %9.0f  %16.0f\n", n, now>>20, most>>20, rate, cost)
		if n == origins {
			return
		}
	}
}
