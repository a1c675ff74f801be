package crawl_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"flag"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawl"
	"github.com/robotsexclusion/robots/crawl/internal/pace"
	"github.com/robotsexclusion/robots/crawl/warc"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/fulldisk"
	"github.com/robotsexclusion/robots/internal/testweb"
)

// childKey is the variable of the environment that makes the test a crawler. It is told
// what to do on its standard input.
const childKey = "ROBOTS_CRAWL_CHILD"

// A child is what a crawler is told, which may be in a process of its own.
type child struct {
	Dir        string
	NameServer string
	Roots      []byte
	Allowed    []netip.Prefix
	Seeds      []string

	Workers   int           // 0 stands for 16
	Patience  int           // of [crawl.Config]; 0 stands for none
	Delay     time.Duration // between requests to a host; 0 stands for wildDelay
	Pause     time.Duration // the first after a failure, and after a request that a kill cut short; 0 stands for that of wildManners
	Hurried   bool          // servers have seconds to answer
	NoArchive bool
	Gap       time.Duration // between requests to an address; 0 stands for none, as the web is our own
	Quota     int           // requests to an address in ten minutes, with a gap

	Disk  string // "limit" or "mount": the disk is full now and then, see [child.squeeze]
	Copy  string // where the folder is copied to in the end
	Limit uint64 // bytes of a file; 0 stands for any number
}

// newChild returns a crawler of a web, with the seeds of it.
func newChild(web *testweb.Web, dir string) *child {
	return &child{Dir: dir, NameServer: web.NameServer(), Roots: web.RootPEM(), Allowed: web.Allowed(), Seeds: web.Seeds()}
}

func TestMain(m *testing.M) {
	crawl.CheckFrontiers()
	if os.Getenv(childKey) == "" {
		overlap()
		os.Exit(m.Run())
	}
	var told child
	if err := json.NewDecoder(os.Stdin).Decode(&told); err != nil {
		panic(err)
	}
	if told.Disk != "" {
		told.squeeze()
	} else {
		told.work()
	}
	os.Exit(0)
}

// overlap has more tests run at once than there are processors, unless -parallel says how
// many: most of their time they wait, for pauses between requests and for the journal. Their
// folders are in memory, unless the tests are to be as large as a real crawl, so that they do
// not wait for the disk.
func overlap() {
	flag.Parse()
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "test.parallel" })
	if !asked {
		flag.Set("test.parallel", strconv.Itoa(max(8, runtime.GOMAXPROCS(0))))
	}
	if !isWhole() {
		fulldisk.InMemory(1 << 30)
	}
}

// work is what a child does that nothing is in the way of.
func (ch *child) work() {
	if ch.Limit > 0 {
		if err := fulldisk.Limit(ch.Limit); err != nil {
			fmt.Println("no small disk:", err)
			os.Exit(3)
		}
	}
	launched := time.Now()
	debug.SetGCPercent(crawl.CollectAt)
	c := ch.crawler()
	c.Attend = func(*crawl.Crawl) func() {
		fmt.Printf("open after %d ms\n", time.Since(launched).Milliseconds())
		return func() {}
	}
	summary, err := crawl.New(*c).Run(context.Background(), ch.Seeds...)
	if err != nil {
		fmt.Println("error", err)
		os.Exit(2)
	}
	fmt.Printf("%d pages, %d octets, %v\n", summary.Pages, summary.Bytes, summary.Named())
	if summary.Finished {
		fmt.Println("finished")
	}
}

// crawler returns the crawler that a child is.
func (ch *child) crawler() *crawl.Config {
	c := &crawl.Config{
		Dir: ch.Dir, UserAgent: "TestBot/1.0 (+https://example.com/bot)", DialFilter: fetch.DialFilter{Allow: ch.Allowed},
		Workers: cmp.Or(ch.Workers, 16), PerAddress: wildOpen, Patience: cmp.Or(ch.Patience, -1),
		Archive: &warc.Options{}, Scope: crawl.Scope{Reach: crawl.Web}, Manners: wildManners,
	}
	if ch.Gap > 0 {
		c.Manners.AddressGap, c.Manners.AddressBudget = ch.Gap, ch.Quota
	} else {
		c.Own = ch.Allowed
	}
	if ch.NoArchive {
		c.Archive = nil
	}
	if ch.Delay != 0 {
		c.Manners.MinDelay = ch.Delay
	}
	if ch.Hurried {
		c.Limits.HeaderTimeout, c.Limits.Timeout, c.Limits.RateWindow = 5*time.Second, 12*time.Second, 3*time.Second
	}
	if ch.Pause != 0 {
		c.Manners.FirstPause, c.Manners.LastPause = ch.Pause, max(ch.Pause, c.Manners.LastPause)
	}
	if len(ch.Roots) > 0 {
		c.TLS = &tls.Config{RootCAs: x509.NewCertPool()}
		c.TLS.RootCAs.AppendCertsFromPEM(ch.Roots)
	}
	resolver := testweb.ResolverAt(ch.NameServer)
	c.Lookup = func(ctx context.Context, name string) ([]netip.Addr, error) {
		return resolver.LookupNetIP(ctx, "ip", name)
	}
	return c
}

// What the crawler of the tests promises.
const (
	wildDelay = 5 * time.Millisecond
	wildOpen  = 4 // requests to an address
)

var wildManners = pace.Manners{MinDelay: wildDelay, Slowness: -1, FirstPause: 50 * time.Millisecond, LastPause: time.Second, Forgive: time.Second}

// served is how long it may take until a server has read what a process sent that ended, on a
// machine that is busy.
const served = 300 * time.Millisecond

// A process is a child at work in a process of its own.
type process struct {
	*exec.Cmd
	out bytes.Buffer
}

// start starts a crawler as a process of its own. Who has seen its end with Wait may
// read what it said.
func (ch *child) start(t *testing.T) *process {
	t.Helper()
	p := ch.process(t)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	return p
}

// process returns the process without starting it.
func (ch *child) process(t *testing.T) *process {
	t.Helper()
	cmd, err := ch.command(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p := &process{Cmd: cmd}
	p.Stdout = &p.out
	return p
}

// command returns the command that is a child.
func (ch *child) command(ctx context.Context) (*exec.Cmd, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(ch)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, exe)
	cmd.Env = append(os.Environ(), childKey+"=1")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(text), os.Stderr
	return cmd, nil
}

// cpu returns the time of processors that the process has used, when it has ended.
func (p *process) cpu() time.Duration {
	return p.ProcessState.UserTime() + p.ProcessState.SystemTime()
}
