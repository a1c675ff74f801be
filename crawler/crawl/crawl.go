// Package crawl is a polite crawler. It visits pages and the pages to which they link, obeys
// robots.txt and the directives in pages, and resumes where it stopped, even after a kill.
//
//	c := crawl.New(crawl.Config{
//		Dir:       "crawl",
//		UserAgent: "ExampleBot/1.0 (+https://example.com/bot)",
//	})
//	summary, err := c.Run(ctx, "https://example.org/")
//
// # Storage
//
// All data is in one folder. The journal is authoritative: a visit or a link counts only after it
// is written there. The store is the state that results from the journal: the known URLs, and the
// queue, pauses and failures of each host. The journal drops the records that the store has on
// disk. The archive has requests and responses as WARC (package crawler/warc), results.jsonl has a
// line for each URL that was visited or refused, and robots has the robots.txt files with their
// history (package fetch).
//
// # Politeness
//
// A host gets one request at a time, and an IP address a few. [Pauses] sets the pauses between
// requests. The pauses of hosts survive a restart.
//
// # Order
//
// A page is committed in four steps: archive, journal (with the new links), results, store.
// Killing the process loses no result already written. When the crawl resumes, it writes the
// results that the journal has and the file lacks, and repeats the requests that were open.
package crawl

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent/botauth"
	"github.com/robotsexclusion/robots/crawler/internal/fleet"
	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/crawler/internal/pace"
	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/crawler/warc"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/http/download"
)

// A Config says what a crawl visits, how politely, and where the crawl keeps its data. Dir
// and UserAgent must be set. A crawl copies its Config and never writes to one; what the
// fields point to must not change while the crawl runs.
type Config struct {
	// Dir is the folder for all data of the crawl. It is created if needed. A crawl resumes
	// from the data it finds there.
	Dir string

	// UserAgent names the robot: its product token with a version, and a URL or mail address
	// where people can learn about it.
	UserAgent string

	// Tokens are the product tokens by which the robot obeys robots.txt and pages, the most
	// specific first. Nil means the first word of UserAgent without its version.
	Tokens []string

	// Signer, if not nil, signs each request over https, for robots.txt, sitemaps and pages, and
	// each retry again (RFC 9421, Web Bot Auth). Requests over http are not signed, because anybody
	// on the way could send the signature again over https.
	Signer *botauth.Signer

	Scope  Scope
	Budget Budget
	Pauses Pauses

	// NoSitemaps skips the sitemaps that robots.txt files name.
	NoSitemaps bool

	// Revisits makes the crawl continuous: it visits pages again. Nil means that each page is
	// visited once.
	Revisits *Revisits

	// Workers is the maximum number of open requests; 0 means 128.
	Workers int
	// PerAddress is the maximum number of open requests to one IP address; 0 means 8. It holds over
	// all workers of a shared crawl, as do AddressGap and AddressBudget of Pauses.
	PerAddress int
	// Own lists the operator's own networks. Hosts there keep their pauses, but their
	// addresses have no gap and no budget from Pauses.
	Own []netip.Prefix
	// IgnoreRobots makes the crawl visit URLs that robots.txt disallows, at hosts that are proven
	// to be the operator's: all addresses of the host are in Own, or it is the host of a seed and
	// has a text at /.well-known/robots-owner.txt with the line "User-agent: TOKEN", with the first
	// of Tokens; robots.txt must allow that file. Results and archive mark these visits. Pauses,
	// directives of pages and an unreachable robots.txt stay in force.
	IgnoreRobots bool
	// Patience is the maximum number of failures in a row for a host. After one more, the
	// crawl drops the rest of the host's queue. 0 means 6, which takes about an hour, and a
	// negative value means none. When the crawl has nothing else left to do, the maximum is 1
	// for a host that never answered and that no seed names.
	//
	// A failure is a robots.txt that cannot be fetched. Unless the crawl is continuous, it is also
	// a page request that cannot reach the host (DNS, connecting, TLS, time-outs) or gets 429 or
	// 503; for these the maximum is at least 3. The last of them is for a page that was answered
	// before, or else for a URL unlike the failed ones, so that a host that answers keeps its
	// queue. A page that is not HTTP, or whose connection closes, fails alone. A continuous crawl
	// never drops the queue of a host of which it has fetched a page: while robots.txt is
	// unreachable, the crawl only fetches robots.txt.
	Patience int

	// MaxLinks is the maximum number of links followed from one page; 0 means 5,000. The
	// result of a page with more links says so.
	MaxLinks int

	// Limits are the limits of each exchange.
	Limits Limits

	// DialFilter decides which addresses the crawler may connect to.
	DialFilter fetch.DialFilter
	// Lookup returns the addresses of a name; nil means the system's resolver.
	Lookup func(ctx context.Context, name string) ([]netip.Addr, error)
	// TLS is the TLS configuration, for example with more trusted roots; nil means the
	// defaults.
	TLS *tls.Config

	// NATS is the URL of an external NATS server for the journal, or those of several servers of
	// a cluster, with commas between. Parameters after a question mark say how to log in: the
	// files creds, nkey, ca, cert and key; user, password and token; and context, the name or the
	// file of a context of the nats command, as in "tls://nats.example:4222?creds=FILE&ca=FILE".
	// Empty means a server in this process, without a port. An external journal is trimmed only
	// by workers with an ObjectStore: a crawler with an empty folder can take over from one whose
	// machine is lost, see TakeOver.
	NATS string
	// Name names the journal on the NATS server: letters, digits, "-" and "_". Empty means the name
	// that the folder has stored, or a random one for a new crawl. Crawls with different names
	// share nothing.
	Name string
	// Replicas is the number of servers of a NATS cluster that keep the journal. If 0, it is that
	// of the journal that exists, or else 1.
	Replicas int
	// TakeOver lets the folder continue a crawl whose journal on the NATS server belongs to another
	// folder, as the same robot with the same scope; the other folder can no longer continue it.
	// Without TakeOver such a journal is an error.
	TakeOver bool

	// Shared makes the crawl one of several workers, each with a Dir of its own, that share the
	// crawl Name at NATS: each visits the hosts of its part of the partitions, which changes when
	// workers come and go. The first worker gives the seeds; the others need none. All need the
	// same robot, scope and host limits of Budget. Limits longer than 25 seconds for an exchange,
	// or 20 for its header, are shortened, because a worker that takes over from a lost one must
	// know when the last request has ended. Run ends when no work is left in the whole crawl.
	Shared bool

	// ObjectStore is where a worker of a shared crawl uploads its archive and its results, so that
	// they outlast its machine: nats:BUCKET, which is a bucket of JetStream on the servers of NATS;
	// s3://BUCKET/PREFIX, with the credentials, region and endpoint of the environment and files of
	// AWS; or file:///FOLDER, a folder that all workers mount. A file of the archive is closed
	// after ten minutes and then uploaded, and the rest at the end of Run; see doc/cluster.md.
	// Empty means none.
	ObjectStore string

	// Archive has the options of the archive; nil means no archive.
	Archive *warc.Options

	// Results is the name of the results file. Empty means results.jsonl in Dir.
	Results string
	// ResultsTo, if not nil, receives the results in place of a file.
	ResultsTo io.Writer

	// OnPage, if not nil, is called with each page that was fetched and read, before its result is
	// committed. Pages of several hosts come at once, from different goroutines; the host of a
	// page gets no request before OnPage returns. A page whose result a killed process had not
	// committed is fetched and given again. To stop the crawl, cancel its context.
	OnPage func(p *Page)

	// OnTrouble, if not nil, is called with the reason why the crawl cannot begin at a host: its
	// name, the connection, TLS, or an address that DialFilter refuses ([fetch.RefusedError]). The
	// crawl tries again at a time, unless that is zero. After the first page of a run it is not
	// called any more. Calls come from different goroutines.
	OnTrouble func(origin string, err error, again time.Time)

	// Log receives messages for the operator, each with the origin and the reason, and at
	// debug level one line for each URL that was dealt with. Nil means no log.
	Log *slog.Logger

	// Attend, if not nil, is called after the crawl has locked its folder and before the first
	// request. It must return a function that is not nil. The crawl calls that function before
	// it unlocks the folder: see crawler/control.
	Attend func(c *Crawl) (leave func())
}

// Limits are the limits of one exchange with a server. The zero value means the defaults.
type Limits struct {
	// Types are the media types of documents to read, such as "text/html"; "text/*" and "*/*"
	// are wildcards. Nil means HTML, XHTML, XML, RSS, Atom and plain text.
	Types []string

	MaxBody  int64 // bytes kept of a body, after its content encoding is decoded; 0 means 8 MiB
	MaxSent  int64 // bytes read of a body, as sent; 0 means MaxBody
	MaxRatio int64 // decoded size divided by sent size, for bodies over 1 MiB; 0 means 200

	ConnectTimeout time.Duration // for each step of connecting: DNS, TCP, TLS; 0 means 10 seconds
	HeaderTimeout  time.Duration // from the request to the end of the header; 0 means 30 seconds
	Timeout        time.Duration // of the whole exchange; 0 means 2 minutes

	MinRate    int           // bytes of a body per second, averaged over RateWindow; 0 means 512, negative no limit
	RateWindow time.Duration // 0 means 10 seconds
}

// client returns a client with the limits of the crawl.
func (c *Config) client() *download.Client {
	l := &c.Limits
	return &download.Client{
		UserAgent: c.UserAgent, DialFilter: c.DialFilter, Lookup: c.Lookup, TLS: c.TLS,
		Types: l.Types, MaxBody: l.MaxBody, MaxSent: l.MaxSent, MaxRatio: l.MaxRatio,
		ConnectTimeout: l.ConnectTimeout, HeaderTimeout: l.HeaderTimeout, Timeout: l.Timeout,
		MinRate: l.MinRate, RateWindow: l.RateWindow,
	}
}

// A Crawl is a crawl in one folder. Run runs it. The other methods query and feed the running
// crawl, and are safe for concurrent use.
type Crawl struct {
	config  Config
	current atomic.Pointer[run] // nil unless running

	// worker makes the crawl one of several workers that share the partitions, if it is not nil. It
	// runs beside the crawl, acquires and gives up partitions, and returns when ctx ends.
	worker func(ctx context.Context, s *share)

	testTimes   *fleet.Times  // set by tests: the times of the workers of a shared crawl
	testFlush   time.Duration // set by tests: Flush of the journal
	testAnswer  time.Duration // set by tests: Answer of the journal
	testStreams int           // set by tests: Streams of the journal

	testCheckpoint int  // set by tests: records after which a checkpoint is due
	testWhole      bool // set by tests: the logs are not trimmed
	testInbox      int  // set by tests, instead of mostInbox

	testUploads time.Duration // set by tests, instead of uploadEvery
}

// isShared reports whether the crawl shares its partitions with other workers.
func (c *Crawl) isShared() bool { return c != nil && (c.worker != nil || c.config.Shared) }

// New returns a crawl with the configuration c. It does not touch the disk or the network.
func New(c Config) *Crawl { return &Crawl{config: c} }

// A run is one run of a crawl, from opening its folder to closing it.
type run struct {
	Config
	handle *Crawl // for Attend, or nil

	log    *reporter
	tokens []string

	*stopper
	shard     *shard
	marker    *marker
	archive   *warc.Writer // nil if there is no archive
	depot     *depot       // nil if there is no object store
	committer *committer
	linker    *linker
	visitor   *visitor
	sites     sites
	tally     tally

	testTrimAfter int  // set by tests in place of trimAfter
	testOld       bool // set by tests: the journal on a server has no charter

	began  time.Time
	killed bool // the previous run was killed, or its end is unknown

	stillKilled bool // this run ended before it had resumed the killed one
	unqueued    bool // not all seeds in the file may be in the queue
	joiner      joiner
	crew        atomic.Pointer[crew] // while the worker of a shared crawl runs, or nil

	asks     gate       // for status queries
	submits  gate       // for Submit
	annexing sync.Mutex // serializes additions to the seeds file
}

// Pauses are the robot's own pauses between requests. What robots.txt and the server ask for can
// only make them longer. The zero Pauses suit a crawl of unknown sites.
type Pauses struct {
	// MinDelay is the minimum pause between the end of a request and the start of the
	// next one to the same host. If 0, it is a second; if negative, there is no pause.
	MinDelay time.Duration

	// Slowness times the response time of the last request is the minimum pause, so that
	// a host that slows down is asked less often. If 0, it is 5; if negative, the
	// response time does not matter.
	Slowness float64

	// MaxSlow limits the pause from Slowness. If 0, it is 30 seconds.
	MaxSlow time.Duration

	// FirstPause is the pause after a failure, or a response of 429 or 503 without
	// Retry-After. If 0, it is a minute. It doubles with each further failure, up to
	// LastPause. If LastPause is 0, it is a day.
	FirstPause, LastPause time.Duration

	// Forgive is how long a host must be free of failures until the next pause is a
	// FirstPause again. If 0, it is 30 minutes.
	Forgive time.Duration

	// MaxPause is the longest pause that robots.txt may ask for between two requests, by
	// Crawl-delay or Request-rate. The crawl drops the queue of a host that asks for more, so that
	// no host can stop a crawl for years. If 0, it is an hour; if negative, there is no limit.
	MaxPause time.Duration

	// AddressGap is the minimum pause between the starts of two requests to hosts at one
	// IP address, or in one /64 network of IPv6. If 0, it is 100 milliseconds; if
	// negative, there is no pause. Requests take different times to arrive, so an address
	// may see that rate, plus the requests that are open.
	AddressGap time.Duration

	// AddressBudget is the maximum number of requests to an address in ten minutes. If 0,
	// it is 3,000, which are five a second; if negative, there is no limit.
	AddressBudget int

	// MaxRetryAfter limits Retry-After. If 0, it is a day.
	MaxRetryAfter time.Duration
}

// pauses returns the pauses as package pace takes them.
func (c *Config) pauses() *pace.Pauses { return (*pace.Pauses)(&c.Pauses) }

// partitions is the number of partitions of a crawl. It never changes.
const partitions = 256

// Budget limits a crawl. A limit of 0 means no limit, except for HostPages. Pages and Bytes limit a
// run, or, if workers share the crawl, all runs of all workers together. Shared workers never fetch
// more than Pages. Each killed worker may cost some unused pages of the budget, at most a hundredth
// of Pages and at most 1,000.
type Budget struct {
	Pages     int64 // pages fetched, in total
	Bytes     int64 // bytes of their bodies, in total; those of open requests may come on top
	HostPages int64 // pages fetched from one host; 0 means DefaultHostPages, negative no limit
	HostBytes int64
}

// DefaultHostPages is the default number of pages fetched from one host. All but the largest
// sites have fewer pages, and a crawl that fetches one page a second needs more than a day for
// them.
const DefaultHostPages = 100_000

// hostPages returns the maximum number of pages fetched from one host.
func (b *Budget) hostPages() int64 {
	switch {
	case b.HostPages == 0:
		return DefaultHostPages
	case b.HostPages < 0:
		return math.MaxInt64
	}
	return b.HostPages
}

// maxFailures returns the maximum number of failures in a row for a host.
func (c *Config) maxFailures() int {
	if c.Patience == 0 {
		return 6
	}
	return c.Patience
}

// A Summary is the outcome of a crawl. Counts and Reasons include earlier runs.
type Summary struct {
	Counts   Counts
	Pages    int64 // pages fetched by this run
	Bytes    int64 // bytes of their bodies
	Elapsed  time.Duration
	Reasons  map[result.Reason]int64 // URLs not visited or failed, by reason
	Finished bool                    // nothing is left to do; otherwise the crawl can be continued
	Spent    bool                    // a limit of the budget was reached
}

// The reasons why a crawl ends by itself.
var (
	errFinished = errors.New("nothing is left to do")
	errBudget   = errors.New("a limit of the budget is reached")
	// not all seeds are in the queue: the next run queues the others
	errInterrupted = errors.New("interrupted")
)

// Run crawls from the seeds, and from the state in its folder, until nothing is left to do, a
// limit of the budget is reached, or ctx ends. Then Run waits for open requests and returns a
// summary. It returns an error if the folder, the journal or the disk fails, or if an option
// makes no sense; the error names the option. Run can be called again after it has returned.
func (c *Crawl) Run(ctx context.Context, seeds ...string) (*Summary, error) {
	return (&run{Config: c.config, handle: c}).crawl(ctx, seeds)
}

// crawl is [Crawl.Run].
func (c *run) crawl(ctx context.Context, seeds []string) (*Summary, error) {
	c.began = time.Now()
	if err := c.open(ctx, seeds); err != nil {
		c.close()
		return nil, stopError(err)
	}
	if c.handle != nil {
		c.handle.current.Store(c)
	}
	leave := func() {}
	if c.Attend != nil {
		leave = c.Attend(c.handle)
	}
	// When ctx ends, workers lease no more hosts, and open requests run to their end.
	c.stopper.begin(ctx)
	defer c.stopper.end()

	c.committer.start()
	c.depot.start()
	if s := c.shard.share; s != nil {
		s.saver.begin()
		s.searcher.begin()
	}
	err := c.resume(seeds)
	if err == nil {
		c.submits.open()
		tellTroubles(c)
		err = c.serve()
		c.submits.close()
	}
	why := err
	if why == errFinished || why == errBudget || why == errInterrupted {
		err = nil
	}
	err = c.finish(err)
	summary := c.summary()
	if failure := c.failure(); failure != nil {
		err = failure // it caused every other error
	}
	if err == nil {
		summary.Finished, summary.Spent = why == errFinished, why == errBudget
	}
	leave()
	c.asks.close()
	c.log.end(summary, err)
	if c.failure() == nil {
		err = errors.Join(err, c.markStopped())
	}
	if closeErr := c.close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return summary, stopError(c.damaged("store", err))
	}
	return summary, nil
}

// resume restores the state of the hosts that the previous run left open, and adds the seeds.
func (c *run) resume(seeds []string) error {
	if err := c.recall(); err != nil {
		return err
	}
	c.asks.open()
	err := c.seed(seeds)
	if err == nil && (c.killed || c.unqueued) {
		// The kill may have left seeds in the file that the journal lacks.
		if err = c.seedAgain(); err == nil {
			c.unqueued = false
		}
	}
	if err != nil {
		c.stillKilled = c.killed && err == errInterrupted
		return err
	}
	if c.shard.share == nil {
		if err := askRefusedAgain(c); err != nil {
			return err
		}
	}
	if c.shard.share == nil {
		if err := errors.Join(c.revive(), c.shard.memo.clear()); err != nil {
			return err
		}
	}
	c.log.start(&c.Config, len(seeds), c.shard.counts())
	return nil
}

// finish commits what is left, and completes the files unless the crawl has failed. err is the
// error of the crawl so far, or nil.
func (c *run) finish(err error) error {
	if c.shard.share != nil {
		if closeErr := c.shard.share.close(); err == nil {
			err = closeErr
		}
	}
	if failure := c.committer.wait(); err == nil && failure == nil && !c.stillKilled {
		err = c.shard.memo.clear() // the journal has all of its entries
	}
	c.committer.close()
	c.shard.trims.Wait()
	c.depot.stop()
	if s := c.shard.share; s != nil {
		s.saver.stop()
		s.searcher.stop()
		if err == nil && c.failure() == nil {
			s.searcher.pass(context.Background())
			s.saver.finish()
		}
	}
	if err == nil && c.failure() == nil {
		err = c.marker.finishArchive()
	}
	if err == nil && c.failure() == nil {
		err = c.shard.trim()
	}
	if err == nil && c.failure() == nil {
		err = c.depot.finish()
	}
	return err
}

// stopError returns the error with which a crawl stops. If the disk is full, the error says
// what to do. The journal's server reports a full disk only in the text of its errors.
func stopError(err error) error {
	if errors.Is(err, syscall.ENOSPC) || strings.Contains(err.Error(), syscall.ENOSPC.Error()) {
		return fmt.Errorf("crawl: %w (make room on the disk, and start it again to resume)", err)
	}
	return fmt.Errorf("crawl: %w", err)
}

// serve runs the workers until the crawl ends.
func (c *run) serve() error {
	ctx := c.working
	var workers sync.WaitGroup
	var failed error // of the worker's part in a shared crawl
	switch s := c.shard.share; {
	case s != nil && c.handle.worker != nil:
		workers.Go(func() { c.handle.worker(ctx, s) })
	case s != nil:
		m, err := joinFleet(ctx, c)
		switch {
		case err == nil:
			workers.Go(func() { failed = m.run(ctx) })
		case ctx.Err() == nil: // otherwise the crawl was stopped before the worker had joined
			return err
		}
	}
	if s := c.shard.share; s != nil {
		workers.Go(func() { watchInboxes(ctx, s) })
	}
	n := c.Workers
	if n <= 0 {
		n = 128
	}
	for range n {
		workers.Go(func() {
			for {
				passSluice(ctx, c.shard.share)
				h := c.shard.frontier.lease(ctx)
				if h == nil {
					return
				}
				c.visitor.turn(c.shard.share.context(h, c.visiting), h)
			}
		})
	}
	workers.Wait()
	switch {
	case failed != nil:
		return failed
	case c.shard.frontier.isFinished(), errors.Is(context.Cause(ctx), errFinished):
		return errFinished
	case errors.Is(context.Cause(ctx), errBudget):
		return errBudget
	}
	return nil
}

// open checks the fields and opens the files in the folder.
func (c *run) open(ctx context.Context, seeds []string) (err error) {
	if err := c.prepare(ctx); err != nil {
		return err
	}
	if err := c.joiner.checkShared(ctx, seeds); err != nil {
		return err
	}
	if err := patiently(ctx, c, c.shard.openJournal); err != nil {
		return err
	}
	if err := c.joiner.join(ctx, seeds); err != nil {
		return err
	}
	if err := c.joiner.identify(ctx); err != nil {
		return err
	}
	if err := c.shard.openStore(ctx); err != nil {
		return c.damaged("store", fmt.Errorf("open the store: %w", err))
	}
	c.marker.store = c.shard.store
	if err := c.marker.verify(); err != nil {
		return err
	}
	if err := c.openResults(); err != nil {
		return err
	}
	if c.handle.isShared() {
		c.shard.share = newShare(c)
	} else if err := c.shard.claim(ctx, c.marker); err != nil {
		return c.damaged("journal", err)
	}
	if err := openDepot(ctx, c); err != nil {
		return err
	}
	if s := c.shard.share; s != nil {
		s.saver, s.searcher = newCheckpointer(c), newSearcher(c)
		if s.copies, err = journal.OpenValues(ctx, c.shard.journal, copiesWord, copiesAge); err != nil {
			return err
		}
	}
	return c.openRest()
}

// prepare checks the fields and creates the folder.
func (c *run) prepare(ctx context.Context) error {
	if c.Dir == "" {
		return errors.New("no folder is given: set Dir")
	}
	if strings.TrimSpace(c.UserAgent) == "" {
		return errors.New("no User-Agent is given: set UserAgent, such as ExampleBot/1.0 (+https://example.com/bot)")
	}
	if err := c.checkSigner(); err != nil {
		return err
	}
	if c.tokens = c.Tokens; c.tokens == nil {
		c.tokens = []string{robots.ProductToken(c.UserAgent)}
	}
	if err := checkDepot(c); err != nil {
		return err
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	c.log, c.stopper = &reporter{c.Log}, new(stopper)
	c.joiner.c = c
	boundRequests(c)
	if err := c.joiner.nameJournal(ctx); err != nil {
		return err
	}
	c.shard = &shard{config: &c.Config, home: c.joiner.home, stopper: c.stopper, trimAfter: c.testTrimAfter}
	if c.handle != nil {
		c.shard.flush, c.shard.answer = c.handle.testFlush, c.handle.testAnswer
		c.shard.streams = c.handle.testStreams
	}
	c.marker = &marker{config: &c.Config}
	return os.MkdirAll(c.Dir, 0o777)
}

// openRest opens everything but the journal and the store, and loads the hosts from the store.
func (c *run) openRest() (err error) {
	identity, err := c.identity(false).text()
	if err != nil {
		return err
	}
	marks := map[string][]byte{markCrawl: identity}
	if c.handle.isShared() {
		marks[markShared] = fileMark{}.bytes()
	}
	if err := c.shard.store.SetMarks(marks); err != nil {
		return err
	}
	if !c.marker.marks.begun {
		// The store must be durable before any other file shows that the folder has a crawl.
		if err := c.shard.store.Sync(); err != nil {
			return err
		}
	}
	if c.Archive != nil {
		if c.archive, err = warc.Open(filepath.Join(c.Dir, "archive"), archiveOptions(c)); err != nil {
			return err
		}
		c.marker.archive = c.archive
		if err := c.marker.markCompared(); err != nil {
			return err
		}
	}
	who, err := readIdentity(c.Dir)
	if err != nil {
		return err
	}
	c.killed = c.marker.marks.begun && (who.Open || who.UserAgent == "")
	c.unqueued = c.unqueued || who.Unqueued
	for _, name := range []string{identityName, memoName, memoOldName} {
		if info, err := os.Stat(filepath.Join(c.Dir, name)); err == nil && !info.Mode().IsRegular() {
			return &DamageError{c.Dir, []Fault{{name, "is not a file any more", nil}}}
		}
	}
	if err := c.writeIdentity(true); err != nil {
		return err
	}
	if c.shard.memo, err = openMemo(c.Dir); err != nil {
		return err
	}
	c.marker.memo = c.shard.memo
	err = c.openFrontier()
	c.assemble()
	return c.damaged("store", err)
}

// assemble creates the parts of a run that visit and commit.
func (c *run) assemble() {
	client := c.client()
	if c.Signer != nil {
		client.Sign = c.sign
	}
	c.linker = &linker{
		scope: &c.Scope, noSitemaps: c.NoSitemaps,
		store: c.shard.store, sites: &c.sites, tally: &c.tally, log: c.log,
	}
	c.committer = &committer{
		stopper: c.stopper, shard: c.shard, marker: c.marker, archive: c.archive, pauses: c.pauses(),
		tally: &c.tally, log: c.log, backlog: newBacklog(),
	}
	c.linker.send = c.committer.send
	if c.shard.share != nil {
		c.shard.share.committer = c.committer
		c.shard.frontier.tenures.bounced = func(p *hop) { go c.shard.share.post.bounce(p) }
		c.shard.share.post.seeded = func(u weburl.URL) {
			c.linker.territory.add(u)
			c.visitor.owners.add(u)
		}
	}
	c.visitor = &visitor{
		stopper: c.stopper, config: &c.Config, tokens: c.tokens, client: client, shard: c.shard,
		linker: c.linker, committer: c.committer, archiver: &archiver{stopper: c.stopper, writer: c.archive,
			memo: c.shard.memo},
		answers: answerReader{
			stopper: c.stopper, config: &c.Config, tokens: c.tokens, linker: c.linker,
			comparer: comparer{new(fingerprints), new(phrases)}, sites: &c.sites, log: c.log,
		},
		sites: &c.sites, tally: &c.tally, log: c.log,
	}
	lax := c.Config
	lax.DialFilter.Allow = append(lax.DialFilter.Allow[:len(lax.DialFilter.Allow):len(lax.DialFilter.Allow)],
		loopbacks...)
	c.visitor.owners = newOwnership(&c.Config, strings.Join(c.tokens[:min(1, len(c.tokens))], ""))
	c.visitor.own = lax.client()
	c.visitor.own.Sign = client.Sign
	c.visitor.robots = &robotsFetcher{
		own: newTransport(&lax), linker: c.linker,
		stopper: c.stopper, config: &c.Config, cache: &fetch.Memory{Behind: fetch.Dir(filepath.Join(c.Dir, "robots"))},
		transport: newTransport(&c.Config), committer: c.committer, archive: c.archive, log: c.log,
	}
	if c.shard.share != nil {
		c.visitor.robots.copies = c.shard.share.copies
	}
}

// close closes all open files and connections.
func (c *run) close() error {
	var errs []error
	if c.visitor != nil {
		errs = append(errs, c.visitor.client.Close())
		errs = append(errs, c.visitor.own.Close())
		if c.visitor.owners != nil {
			errs = append(errs, c.visitor.owners.client.Close())
		}
		c.visitor.robots.transport.CloseIdleConnections()
		c.visitor.robots.own.CloseIdleConnections()
	}
	if c.marker != nil && c.marker.results != nil {
		errs = append(errs, c.marker.results.close())
	}
	if c.archive != nil {
		errs = append(errs, c.archive.Close())
	}
	if c.shard != nil && c.shard.share != nil {
		c.shard.share.saver.stop()
		c.shard.share.searcher.stop()
	}
	errs = append(errs, c.depot.close())
	if c.shard != nil {
		errs = append(errs, c.shard.close())
	}
	return errors.Join(errs...)
}

func (c *run) summary() *Summary {
	return &Summary{
		Counts: c.shard.counts(), Pages: c.visitor.pages.Load(), Bytes: c.visitor.bytes.Load(),
		Elapsed: time.Since(c.began), Reasons: c.tally.nonzero(),
	}
}
