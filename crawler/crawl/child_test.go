package crawl_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/internal/testweb"
	"github.com/robotsexclusion/robots/crawler/warc"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/disk"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// fleetTimes are the times of the workers of tests. The guard outlasts an election of the servers.
// A request outlasts a moment in which a busy machine does not run the web: a request that fails at
// its deadline is made again, and the web may answer the first one afterwards.
var fleetTimes = crawl.FleetTimes{Guard: 5 * time.Second, Lease: 6 * time.Second, Request: 12 * time.Second,
	Close: 2 * time.Second, Error: 500 * time.Millisecond}

// A robotTask is the task of a crawler, which may run in a separate process.
type robotTask struct {
	Dir        string
	NameServer string
	Roots      []byte
	Allowed    []netip.Prefix
	Seeds      []string

	Workers  int           // 0 means 16
	Patience int           // of [crawl.Config]; 0 means none
	Delay    time.Duration // between requests to a host; 0 means wildDelay
	// the first pause after a failure, and after a request cut short by a kill; 0 means that of
	// wildPauses
	Pause     time.Duration
	Hurried   bool // servers must answer within seconds
	NoArchive bool
	Quick     bool          // the journal waits only a moment, see [crawl.NewQuick]
	Gap       time.Duration // between requests to an address; 0 means none, because the web is our own
	Quota     int           // requests to an address in ten minutes, with a gap

	KillAt    int64 // the process kills itself once it has found so many URLs; 0 means never
	HostPages int64 // of the budget; 0 means the default

	NATS  string // the server, for a worker of a shared crawl that owns the odd partitions
	Fleet bool   // the worker is one of the fleet of its crawl instead
	Times *crawl.FleetTimes
	Open  int   // requests of all workers of a fleet to an address; 0 means wildOpen
	Pages int64 // of the budget; 0 means no limit

	Replicas int    // of a fleet; 0 means 3
	Store    string // the object store, or ""

	ArchiveAge time.Duration // until an archive is uploaded; 0 means half a second

	Disk  string // "limit" or "mount": the disk is full from time to time, see [robotTask.squeeze]
	Copy  string // destination for a copy of the folder at the end
	Limit uint64 // maximum bytes of a file; 0 means no limit
}

// newTask returns a crawler of a web, with the seeds of the web.
func newTask(web *testweb.Web, dir string) *robotTask {
	return &robotTask{Dir: dir, NameServer: web.NameServer(), Roots: web.RootPEM(), Allowed: web.Allowed(),
		Seeds: web.Seeds()}
}

func TestMain(m *testing.M) {
	crawl.CheckFrontiers()
	child.Main(child.Tasks{"crawl": func(string) {
		var task robotTask
		child.Check(json.NewDecoder(os.Stdin).Decode(&task))
		switch {
		case task.Disk != "":
			task.squeeze()
		case task.Fleet:
			task.fleet()
		case task.NATS != "":
			task.share()
		default:
			task.work()
		}
	}})
	overlap()
	os.Exit(m.Run())
}

// fleet runs a worker of a shared crawl until the end of the crawl, or until SIGTERM.
func (ch *robotTask) fleet() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	fillDisk()
	if ch.Limit > 0 {
		child.Check(disk.Limit(ch.Limit))
	}
	c := ch.crawler()
	c.NATS, c.Name, c.Replicas, c.PerAddress = ch.NATS, "fleet", cmp.Or(ch.Replicas, 3), cmp.Or(ch.Open, wildOpen)
	c.Log, c.Budget.Pages = slog.New(slog.NewTextHandler(os.Stdout, nil)), ch.Pages
	if c.ObjectStore = ch.Store; ch.Store != "" {
		c.Archive.MaxAge = cmp.Or(ch.ArchiveAge, 500*time.Millisecond)
	}
	worker := crawl.NewFleetWorker(*c, ch.Times).SaveOften(100)
	if c.Shared = true; ch.Times == nil {
		worker = crawl.New(*c)
	}
	summary, err := worker.Run(ctx, ch.Seeds...)
	switch {
	case err == nil:
		fmt.Printf("summary: %d pages, finished %v, spent %v\n", summary.Pages, summary.Finished, summary.Spent)
	case ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx))):
		fmt.Println("stopped before it had joined")
	default:
		fmt.Println("error:", err)
		os.Exit(2)
	}
}

// fillDisk has the process wait for a signal that fills its disk, on systems that have one.
var fillDisk = func() {}

// overlap runs more tests in parallel than there are processors, unless -parallel is set:
// tests mostly wait for pauses between requests and for the journal. Their folders are in
// memory, so that they do not wait for the disk, except when the tests run at the size of a
// real crawl.
func overlap() {
	flag.Parse()
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "test.parallel" })
	if !asked {
		flag.Set("test.parallel", strconv.Itoa(max(8, runtime.GOMAXPROCS(0))))
	}
	if !isWhole() {
		disk.InMemory(1 << 30)
	}
}

// work runs the task of a child that has no limits.
func (ch *robotTask) work() {
	if ch.Limit > 0 {
		if err := disk.Limit(ch.Limit); err != nil {
			fmt.Println("no small disk:", err)
			os.Exit(3)
		}
	}
	launched := time.Now()
	debug.SetGCPercent(50)
	c := ch.crawler()
	c.Budget.HostPages = ch.HostPages
	c.Attend = func(running *crawl.Crawl) func() {
		fmt.Printf("open after %d ms\n", time.Since(launched).Milliseconds())
		if ch.KillAt > 0 {
			go func() {
				for {
					if s := running.Status(0); s != nil && s.Counts.Seen >= ch.KillAt {
						_, most := child.Memory(os.Getpid())
						fmt.Println("peak", most)
						p, _ := os.FindProcess(os.Getpid())
						p.Kill()
					}
				}
			}()
		}
		return func() {}
	}
	newCrawl := crawl.New
	switch {
	case ch.Limit > 0:
		newCrawl = crawl.NewImpatient
	case ch.Quick:
		newCrawl = crawl.NewQuick
	}
	summary, err := newCrawl(*c).Run(context.Background(), ch.Seeds...)
	if err != nil {
		fmt.Println("error", err)
		os.Exit(2)
	}
	fmt.Printf("%d pages, %d bytes, %v\n", summary.Pages, summary.Bytes, summary.Reasons)
	_, most := child.Memory(os.Getpid())
	fmt.Println("peak", most)
	if summary.Finished {
		fmt.Println("finished")
	}
}

// share runs a worker that owns the odd partitions, until it is killed.
func (ch *robotTask) share() {
	c := ch.crawler()
	c.NATS, c.Name, c.PerAddress = ch.NATS, "shared", wildOpen/2
	w := crawl.NewWorker(*c)
	go func() {
		<-w.Joined
		var all sync.WaitGroup
		for p := 1; p < partitions; p += 2 {
			all.Go(func() { child.Check(w.Acquire(context.Background(), p)) })
		}
		all.Wait()
		fmt.Println("owned")
	}()
	_, err := w.Run(context.Background(), ch.Seeds...)
	fmt.Println("error", err)
	os.Exit(2)
}

// crawler returns the configuration of the child's crawler.
func (ch *robotTask) crawler() *crawl.Config {
	c := &crawl.Config{
		Dir: ch.Dir, UserAgent: "TestBot/1.0 (+https://example.com/bot)",
		DialFilter: fetch.DialFilter{Allow: ch.Allowed},
		Workers:    cmp.Or(ch.Workers, 16), PerAddress: wildOpen, Patience: cmp.Or(ch.Patience, -1),
		Archive: &warc.Options{}, Scope: crawl.Scope{Reach: crawl.Web}, Pauses: wildPauses,
	}
	if ch.Gap > 0 {
		c.Pauses.AddressGap, c.Pauses.AddressBudget = ch.Gap, ch.Quota
	} else {
		c.Own = ch.Allowed
	}
	if ch.NoArchive {
		c.Archive = nil
	}
	if ch.Delay != 0 {
		c.Pauses.MinDelay = ch.Delay
	}
	if ch.Hurried {
		c.Limits.HeaderTimeout, c.Limits.Timeout, c.Limits.RateWindow = 5*time.Second, 12*time.Second, 3*time.Second
	}
	if ch.Pause != 0 {
		c.Pauses.FirstPause, c.Pauses.LastPause = ch.Pause, max(ch.Pause, c.Pauses.LastPause)
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

// The promises of the tests' crawler.
const (
	wildDelay = 5 * time.Millisecond
	wildOpen  = 4 // requests to an address
)

var wildPauses = crawl.Pauses{MinDelay: wildDelay, Slowness: -1, FirstPause: 50 * time.Millisecond,
	LastPause: time.Second, Forgive: time.Second}

// served is the maximum time until a server on a busy machine has read the data sent by a
// process that has ended.
const served = 300 * time.Millisecond

// A process is a child that runs in a separate process.
type process struct {
	*exec.Cmd
	out   bytes.Buffer
	ahead time.Duration // of its clock
}

// start starts a crawler in a separate process. Its output may be read after Wait.
func (ch *robotTask) start(t *testing.T) *process {
	t.Helper()
	p := ch.process(t)
	fatal.If(t, p.Start())
	return p
}

// process returns the process without starting it.
func (ch *robotTask) process(t *testing.T) *process {
	t.Helper()
	p := &process{Cmd: ch.command()}
	t.Cleanup(func() {
		if p.Process != nil {
			p.Process.Kill()
		}
	})
	p.Stdout = &p.out
	return p
}

// command returns the command that runs the task, which it reads from standard input.
func (ch *robotTask) command() *exec.Cmd {
	text, err := json.Marshal(ch)
	if err != nil {
		panic(err)
	}
	cmd := child.Command("crawl", "")
	cmd.Stdin = bytes.NewReader(text)
	return cmd
}

// cpu returns the processor time of a process that has ended.
func (p *process) cpu() time.Duration {
	return p.ProcessState.UserTime() + p.ProcessState.SystemTime()
}
