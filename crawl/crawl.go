// Package crawl is a polite robot: it visits pages and what they link to, obeys
// robots.txt and what pages say to robots, and goes on where it was when it is
// started again, whatever stopped it.
//
//	c := crawl.New(crawl.Config{
//		Dir:       "crawl",
//		UserAgent: "ExampleBot/1.0 (+https://example.com/bot)",
//	})
//	summary, err := c.Run(ctx, "https://example.org/")
//
// # What is kept
//
// All is in one folder. The journal is the truth: what was visited and found is in
// it before it counts (package crawl/internal/journal). The store is what the journal comes to:
// which URLs were seen, which wait in the queue of their host, what each host is owed
// (crawl/internal/store). What the store has on the disk the journal lets go of. The archive has
// requests and responses as WARC (crawl/warc), results.jsonl a line for each URL that was
// dealt with, and robots the robots.txt files with their history (package fetch).
//
// # Politeness
//
// One request is under way to a host at a time, and a few to an address. When the
// next may follow is what package crawl/internal/pace says; all of it survives a restart.
//
// # Order
//
// A page is archived, then noted in the journal with the links that are new, then
// told in the results, and then it is in the store. Whoever kills the process loses none
// of what was told. What is in the journal and was not told is told when the crawl goes
// on; what was under way is visited again.
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
	"github.com/robotsexclusion/robots/crawl/internal/pace"
	"github.com/robotsexclusion/robots/crawl/internal/trap"
	"github.com/robotsexclusion/robots/crawl/result"
	"github.com/robotsexclusion/robots/crawl/warc"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/download"
	"github.com/robotsexclusion/robots/internal/weburl"
)

// A Config says what a crawl visits, how politely, and where the crawl keeps its data. Dir
// and UserAgent must be set. A crawl copies its Config and never writes to one; what the
// fields point to must not change while the crawl runs.
type Config struct {
	// Dir is the folder of everything that is kept. It is made if need be. A crawl
	// goes on with what it finds there.
	Dir string

	// UserAgent is who asks: the robot's product token with a version, and a URL or
	// mail address by which people find out about it.
	UserAgent string

	// Tokens are the product tokens by which the robot obeys robots.txt and pages,
	// the closest first. Nil means the first word of UserAgent without its version.
	Tokens []string

	Scope   Scope
	Budget  Budget
	Manners Manners

	// NoSitemaps leaves the sitemaps out that robots.txt files name.
	NoSitemaps bool

	// Revisits is set for a crawl without end, which visits pages again.
	Revisits *Revisits

	// Workers is how many requests may be under way; 0 means 128.
	Workers int
	// PerAddress is how many of them may be to one IP address; 0 means 8.
	PerAddress int
	// Own are networks of one's own: the hosts there have their pauses, and Manners asks for
	// no gap and no budget of their addresses.
	Own []netip.Prefix
	// Patience is how many times in a row a host may fail until the rest of its
	// queue is given up; 0 means 6, which takes about an hour, and less than 0 none.
	// Where nothing else is left to do, 1 is enough for a host that never answered and that
	// no seed names.
	Patience int

	// MaxLinks is how many links of a page are followed; 0 means 5,000. The result
	// of a page with more says so.
	MaxLinks int

	// Limits are the limits of each exchange.
	Limits Limits

	// DialFilter says where the crawler may connect to.
	DialFilter fetch.DialFilter
	// Lookup finds the addresses of a name; nil means the system's resolver.
	Lookup func(ctx context.Context, name string) ([]netip.Addr, error)
	// TLS has what else is to be trusted; nil means the defaults.
	TLS *tls.Config

	// NATS is the URL of an external NATS server for the journal. Empty means one in
	// this process, without a port. A journal elsewhere is never trimmed: a crawler with
	// an empty folder can take over from one whose machine is lost.
	NATS string

	// Archive has the options of the archive; nil means that none is kept.
	Archive *warc.Options

	// Results is the name of the file of results. Empty means results.jsonl in Dir.
	Results string
	// ResultsTo gets the results in place of a file, if it is not nil.
	ResultsTo io.Writer

	// Log gets what an operator wants to know, with the origin and the reason, and
	// each URL that is dealt with at the level of debugging. Nil means nothing.
	Log *slog.Logger

	// Attend, if it is not nil, is called after the crawl has locked its folder and before
	// the first request. The crawl calls the function that Attend returns, which must not
	// be nil, before it unlocks the folder: see crawl/control.
	Attend func(c *Crawl) (leave func())
}

// Limits are the limits of one exchange with a server. The zero value has the defaults.
type Limits struct {
	// Types are the media types of documents to read, such as "text/html"; "text/*" and
	// "*/*" stand for several. Nil means HTML, XHTML, XML, RSS, Atom and plain text.
	Types []string

	MaxBody  int64 // bytes of a body to keep, after its content encoding is undone; 0 means 8 MiB
	MaxSent  int64 // bytes of a body to read, as sent; 0 means MaxBody
	MaxRatio int64 // how many times larger than sent a body over 1 MiB may become; 0 means 200

	ConnectTimeout time.Duration // of each step to a connection: DNS, TCP, TLS; 0 means 10 seconds
	HeaderTimeout  time.Duration // from the request to the end of the header; 0 means 30 seconds
	Timeout        time.Duration // of the whole exchange; 0 means 2 minutes

	MinRate    int           // bytes of a body a second, averaged over RateWindow; 0 means 512, less than 0 no limit
	RateWindow time.Duration // 0 means 10 seconds
}

// client returns a client with these limits.
func (l *Limits) client() *download.Client {
	return &download.Client{
		Types: l.Types, MaxBody: l.MaxBody, MaxSent: l.MaxSent, MaxRatio: l.MaxRatio,
		ConnectTimeout: l.ConnectTimeout, HeaderTimeout: l.HeaderTimeout, Timeout: l.Timeout,
		MinRate: l.MinRate, RateWindow: l.RateWindow,
	}
}

// A Crawl is a crawl in a folder: Run runs it, and its other methods, which are safe for
// concurrent use, ask and feed it while it runs.
type Crawl struct {
	config  Config
	current atomic.Pointer[run] // nil until it runs
}

// New returns a crawl that is configured by c. It touches nothing yet.
func New(c Config) *Crawl { return &Crawl{config: c} }

// A run is one run of a crawl, from when its folder is opened until it is closed.
type run struct {
	Config
	handle *Crawl // for Attend, or nil

	log       *reporter
	tokens    []string
	traps     *trap.Rules  // nil means all of them
	linkForm  *weburl.Form // as the folder has kept it; nil means the default
	form      *weburl.Form // of links
	redirects *weburl.Form // of redirects

	*stopper
	*shard
	marker    *marker
	archive   *warc.Writer // nil if there is none
	committer *committer
	linker    *linker
	visitor   *visitor
	sites     sites
	tally     tally

	testTrimAfter int // of tests, instead of trimAfter

	began  time.Time
	killed bool // the run before was, or its end is unknown

	asks     gate       // of questions about the crawl
	submits  gate       // of new URLs
	annexing sync.Mutex // around additions to the seeds
}

// Manners are the pauses between requests to a host and to an address.
type Manners = pace.Manners

// partitions is how many partitions a crawl has, for ever.
const partitions = 256

// Budget limits a crawl. A limit of 0 is none, but for HostPages.
type Budget struct {
	Pages     int64 // that are fetched, in all
	Bytes     int64 // of their bodies, in all
	HostPages int64 // of one host; 0 stands for DefaultHostPages, less than 0 for no limit
	HostBytes int64
}

// DefaultHostPages is how many pages of one host a crawl fetches if nobody says how many:
// more than all but the largest sites have, and what a page a second is in a day.
const DefaultHostPages = 100_000

// hostPages returns how many pages of one host are fetched.
func (b *Budget) hostPages() int64 {
	switch {
	case b.HostPages == 0:
		return DefaultHostPages
	case b.HostPages < 0:
		return math.MaxInt64
	}
	return b.HostPages
}

// CollectAt is how many percent of new data on the heap a crawl lets come about until
// garbage is collected, where memory is dear: what it keeps lives long, and what a page
// costs does not. Give it to [runtime/debug.SetGCPercent], as the command does.
const CollectAt = 50

// A Summary is what a crawl came to, with what was done before it was started again.
type Summary struct {
	Counts   Counts
	Pages    int64 // that were fetched by this run
	Bytes    int64 // of their bodies
	Elapsed  time.Duration
	Reasons  [result.Reasons]int64 // of URLs that were not visited, or came to nothing
	Finished bool                  // nothing is left to do; else the crawl can be continued
	Spent    bool                  // a limit of the budget was reached
}

// Why a crawl ends by itself.
var (
	errFinished = errors.New("nothing is left to do")
	errBudget   = errors.New("a limit of the budget is reached")
)

// Run crawls: from URLs, and from where the crawl in its folder was stopped, until nothing
// is left to do, a limit of the budget is reached, or ctx ends. Then Run waits for open
// requests, and returns a summary. The error is one of the folder, the journal or the disk,
// or names an option that makes no sense. Run can be called again after it has returned.
func (c *Crawl) Run(ctx context.Context, seeds ...string) (*Summary, error) {
	return (&run{Config: c.config, handle: c}).crawl(ctx, seeds)
}

// crawl is [Crawl.Run].
func (c *run) crawl(ctx context.Context, seeds []string) (*Summary, error) {
	c.began = time.Now()
	if err := c.open(ctx); err != nil {
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
	// When ctx ends no more hosts are leased, and what is under way comes to its end.
	c.stopper.begin(ctx)
	defer c.stopper.end()

	c.committer.start()
	err := c.recall()
	if err == nil {
		c.asks.open()
		err = c.seed(seeds)
	}
	if err == nil && c.killed {
		err = c.seedAgain() // the kill may have been between the file of seeds and the journal
	}
	if err == nil {
		err = errors.Join(c.revive(), c.memo.clear())
	}
	if err == nil {
		c.log.start(&c.Config, len(seeds), Counts(c.store.Counts()))
		c.submits.open()
		err = c.serve()
		c.submits.close()
	}
	why := err
	if why == errFinished || why == errBudget {
		err = nil
	}
	if failure := c.committer.wait(); err == nil && failure == nil {
		err = c.memo.clear() // the journal has all of it
	}
	c.committer.close()
	c.trims.Wait()
	if err == nil && c.failure() == nil {
		err = c.finishArchive()
	}
	if err == nil && c.failure() == nil {
		err = c.trim()
	}
	summary := c.summary()
	if failure := c.failure(); failure != nil {
		err = failure // whatever else went wrong did so because of it
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

// finishArchive closes the archive, and notes how long its files are, of which there will be
// no more.
func (c *run) finishArchive() error {
	if c.archive != nil {
		if err := c.archive.Close(); err != nil {
			return err
		}
	}
	return c.marker.mark()
}

// stopError returns the error with which a crawl stops. If it comes of a full disk, it
// says what to do; the server of the journal tells that in its texts only.
func stopError(err error) error {
	if errors.Is(err, syscall.ENOSPC) || strings.Contains(err.Error(), syscall.ENOSPC.Error()) {
		return fmt.Errorf("crawl: %w (make room on the disk, and start it again: it goes on where it was)", err)
	}
	return fmt.Errorf("crawl: %w", err)
}

// serve has workers visit what is due, until the crawl ends.
func (c *run) serve() error {
	ctx := c.working
	var workers sync.WaitGroup
	n := c.Workers
	if n <= 0 {
		n = 128
	}
	for range n {
		workers.Go(func() {
			for {
				h := c.frontier.lease(ctx)
				if h == nil {
					return
				}
				c.visitor.turn(c.visiting, h)
			}
		})
	}
	workers.Wait()
	switch {
	case c.frontier.isFinished():
		return errFinished
	case errors.Is(context.Cause(ctx), errBudget):
		return errBudget
	}
	return nil
}

// open checks the fields and opens what is in the folder.
func (c *run) open(ctx context.Context) error {
	if err := c.prepare(); err != nil {
		return err
	}
	if err := c.openJournal(ctx); err != nil {
		return err
	}
	if err := c.openStore(ctx); err != nil {
		return c.damaged("store", fmt.Errorf("open the store: %w", err))
	}
	c.marker.store = c.store
	if err := c.marker.verify(); err != nil {
		return err
	}
	if err := c.openResults(); err != nil {
		return err
	}
	if err := c.claim(ctx); err != nil {
		return c.damaged("journal", err)
	}
	return c.openRest()
}

// prepare checks the fields, and makes the folder.
func (c *run) prepare() error {
	if c.Dir == "" {
		return errors.New("no folder is given: set Dir")
	}
	if strings.TrimSpace(c.UserAgent) == "" {
		return errors.New("nobody is named who crawls: set UserAgent, such as ExampleBot/1.0 (+https://example.com/bot)")
	}
	if c.tokens = c.Tokens; c.tokens == nil {
		c.tokens = []string{robots.ProductToken(c.UserAgent)}
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.form = c.linkForm; c.form == nil {
		c.form = &weburl.Form{}
	}
	redirects := *c.form
	redirects.Tracking, redirects.KeepSessions = []string{}, true
	c.redirects = &redirects
	c.log, c.stopper = &reporter{c.Log}, new(stopper)
	c.shard = &shard{config: &c.Config, stopper: c.stopper, trimAfter: c.testTrimAfter}
	c.marker = &marker{config: &c.Config, redirects: c.redirects}
	return os.MkdirAll(c.Dir, 0o777)
}

// openRest opens what is left once the store and the journal are, and takes the hosts
// from the store.
func (c *run) openRest() (err error) {
	identity, err := c.identity(false).text()
	if err != nil {
		return err
	}
	if err := c.store.SetMarks(map[string][]byte{markCrawl: identity}); err != nil {
		return err
	}
	if !c.marker.marks.begun {
		// Before anything else says that a crawl was made here.
		if err := c.store.Sync(); err != nil {
			return err
		}
	}
	if c.Archive != nil {
		if c.archive, err = warc.Open(filepath.Join(c.Dir, "archive"), *c.Archive); err != nil {
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
	for _, name := range []string{identityName, memoName, memoOldName} {
		if info, err := os.Stat(filepath.Join(c.Dir, name)); err == nil && !info.Mode().IsRegular() {
			return &DamageError{c.Dir, []Fault{{name, "is not a file any more", nil}}}
		}
	}
	if err := c.writeIdentity(true); err != nil {
		return err
	}
	if c.memo, err = openMemo(c.Dir); err != nil {
		return err
	}
	c.marker.memo = c.memo
	err = c.openFrontier()
	c.assemble()
	return c.damaged("store", err)
}

// assemble makes the parts of a run that visit and commit.
func (c *run) assemble() {
	client := c.Limits.client()
	client.UserAgent, client.DialFilter, client.Lookup, client.TLS = c.UserAgent, c.DialFilter, c.Lookup, c.TLS
	c.linker = &linker{
		scope: &c.Scope, noSitemaps: c.NoSitemaps, traps: c.traps, form: c.form, redirects: c.redirects,
		store: c.store, sites: &c.sites, tally: &c.tally, log: c.log,
	}
	c.committer = &committer{
		stopper: c.stopper, shard: c.shard, marker: c.marker, archive: c.archive, manners: &c.Manners,
		tally: &c.tally, log: c.log, backlog: newBacklog(),
	}
	c.visitor = &visitor{
		stopper: c.stopper, config: &c.Config, tokens: c.tokens, redirects: c.redirects, client: client, shard: c.shard,
		linker: c.linker, committer: c.committer, archiver: &archiver{stopper: c.stopper, writer: c.archive, memo: c.memo},
		comparer: comparer{new(fingerprints), new(phrases)}, sites: &c.sites, tally: &c.tally, log: c.log,
	}
	c.visitor.robots = &robotsFetcher{
		stopper: c.stopper, config: &c.Config, cache: &fetch.Memory{Behind: fetch.Dir(filepath.Join(c.Dir, "robots"))},
		transport: newTransport(&c.Config), committer: c.committer, archive: c.archive,
	}
}

// claim makes this process the owner of all partitions, and brings the store up to
// what the journal says.
func (c *run) claim(ctx context.Context) error {
	if err := c.claimAll(ctx); err != nil {
		return err
	}
	if err := c.replay(ctx, c.marker, false); err != nil {
		return fmt.Errorf("bring the store up to the journal: %w", err)
	}
	return nil
}

// close closes what is open.
func (c *run) close() error {
	var errs []error
	if c.visitor != nil {
		errs = append(errs, c.visitor.client.Close())
		c.visitor.robots.transport.CloseIdleConnections()
	}
	if c.marker != nil && c.marker.results != nil {
		errs = append(errs, c.marker.results.close())
	}
	if c.archive != nil {
		errs = append(errs, c.archive.Close())
	}
	if c.shard != nil {
		errs = append(errs, c.shard.close())
	}
	return errors.Join(errs...)
}

func (c *run) summary() *Summary {
	return &Summary{
		Counts: Counts(c.store.Counts()), Pages: c.visitor.pages.Load(), Bytes: c.visitor.bytes.Load(),
		Elapsed: time.Since(c.began), Reasons: c.tally.all(),
	}
}
