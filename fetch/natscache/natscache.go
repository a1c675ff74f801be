// Package natscache lets several processes share robots.txt through NATS JetStream. When one
// process has fetched a robots.txt, the others use it, and only one of them at a time fetches the
// robots.txt of an origin.
//
//	shared, err := natscache.Open(natscache.Config{URL: "nats://10.0.0.1:4222,nats://10.0.0.2:4222"})
//	if err != nil {
//		return err // the URL is wrong; a server that does not answer is asked again and again
//	}
//	defer shared.Close()
//	client := &fetch.Client{UserAgent: "ExampleBot/1.0 (+https://example.com/bot)", Cache: shared}
//
// The Cache must be the Cache of the client itself: a [fetch.Memory] before it would hide the
// lease, and changes by other processes. The Cache has a Memory of its own (see Config.Local).
//
// # Without the cluster
//
// No question fails because the cluster fails, and no question waits long for the cluster: an
// exchange that takes longer than Config.Bound ends the session with the cluster, and a process
// without a session works alone. It uses the entries that it has, fetches other robots.txt itself,
// and keeps what it fetched in Config.Local. Another session begins when the cluster has stored a
// value in each of the two buckets again. Then the process writes the last entries that it fetched
// alone, so that all processes have the newest entry of an origin.
//
// # Guarantees
//
// A fetch holds a lease, which the cluster removes if it is not renewed. So a process that is
// killed while it fetches delays the others by one Config.Lease at most. Two processes fetch the
// same robots.txt if they are cut off from each other, if a fetch takes longer than Config.Wait,
// or, rarely, while the stream has a new leader. This costs one more request, and nothing else: the
// newer entry stays.
//
// Trust the cluster as you trust the processes: a program that may write to the buckets can forge
// the robots.txt of any origin. Damaged entries are counted, reported, and then replaced.
//
// # States
//
//	state     questions are answered from          entered when               left when
//	apart     Config.Local, and fetches            Open, or an exchange       both buckets are open,
//	                                                failed, or the cluster     have stored a value,
//	                                                did not answer in time     and one is watched
//	together  Config.Local where it is known to    a session has opened both  any exchange fails, or
//	          be the newest, else the bucket;      and watches the entries    the connection is lost
//	          fetches hold a lease
package natscache

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"regexp"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/http/flight"
	cluster "github.com/robotsexclusion/robots/internal/nats"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Config has the options of a [Cache]. Only URL is required.
type Config struct {
	// URL names the servers of a NATS cluster with JetStream, separated by commas, such as
	// "nats://10.0.0.1:4222,tls://user:password@nats.example:4222". Parameters after a question
	// mark say how to log in: the files creds, nkey, ca, cert and key; user, password and token;
	// and context, the name or the file of a context of the nats command.
	URL string

	// Options are more options of the connection, such as nats.UserCredentials and
	// nats.RootCAs.
	Options []nats.Option

	// Bucket is the name of the bucket of entries; "" means robots-fetch. The name with "-leases"
	// after it is the name of the bucket of leases. Buckets that do not exist are made; buckets
	// that exist are used as the operator has made them.
	Bucket string

	// MaxBytes is the size of the bucket of entries, if it has to be made; 0 means 1 GiB. The
	// oldest entries are removed when it is full, and all entries after 31 days.
	MaxBytes int64

	// Local has the entries of this process. Nil means a [fetch.Memory] of its usual size. A Memory
	// with a [fetch.Dir] behind it also keeps entries for times without the cluster, and the
	// history.
	Local fetch.Cache

	// Bound is the longest wait for one exchange with the cluster; 0 means half a second. A
	// question waits for a cluster that has stopped to answer once, and for twice that time if it
	// waited for the fetch of another process.
	Bound time.Duration

	// Lease is how long the lease of a killed process lasts, if its bucket has to be made; 0 means
	// five seconds.
	Lease time.Duration

	// Wait is how long to wait for the fetch of another process, and how long to renew a lease;
	// 0 means 70 seconds. It should be more than the Timeout of the client.
	Wait time.Duration

	// Notice gets messages for the operator, in which text of strangers is escaped: that the
	// cluster is lost or back, and damaged entries. Messages of one kind are a minute apart.
	// Nil means none.
	Notice func(error)
}

const (
	defaultBucket   = "robots-fetch"
	defaultMaxBytes = 1 << 30
	defaultBound    = 500 * time.Millisecond
	defaultLease    = 5 * time.Second
	defaultWait     = 70 * time.Second

	// entryAge is longer than any entry matters: a copy stays in force for 30 days while the
	// origin is unreachable.
	entryAge = 31 * 24 * time.Hour

	usualRetry = time.Second // between two attempts to begin a session, and between two probes in one
	quiet      = time.Minute // between two messages of one kind

	// maxUnshared is the maximum number of origins that were fetched without the cluster, and are
	// written as soon as it is back. The entries of others are written when they are asked for.
	maxUnshared = 4096
)

// bucketName matches names of buckets.
var bucketName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,100}$`)

// A Cache is a [fetch.Cache] that processes share through NATS. It is safe for concurrent use.
type Cache struct {
	config Config
	retry  time.Duration
	holder []byte // the value of the leases of this process
	conn   *cluster.Conn
	stop   context.CancelFunc
	done   chan struct{}
	work   sync.WaitGroup // the leases that are held
	reads  flight.Group[*fetch.Entry]
	counts counts

	last    atomic.Pointer[session] // see session
	keeping [64]sync.Mutex          // each for the writes of a part of the origins to Config.Local

	unshared chan string // origins whose entries the cluster lacks

	mu   sync.Mutex
	told map[string]time.Time // when the last message of each kind was sent
}

// Stats says whether a [Cache] has a session with the cluster, and counts since it was opened.
type Stats struct {
	Together bool   // the cluster answers
	Lost     uint64 // how often it did not answer any more

	Found, Missing, Damaged uint64 // entries that the cluster was asked for
	Refused                 uint64 // entries that the cluster has no room for, and that stay local

	Led     uint64 // leases for a fetch
	Waited  uint64 // waits for the fetch of another process
	Overdue uint64 // waits that took longer than Config.Wait
}

type counts struct {
	lost, found, missing, damaged, refused, led, waited, overdue atomic.Uint64
}

// Open returns a cache of a cluster. It does not wait for the cluster. The error is about a wrong
// Config, and has no password of a URL.
func Open(c Config) (*Cache, error) { return open(c, usualRetry) }

func open(c Config, retry time.Duration) (*Cache, error) {
	c.Bucket = cmp.Or(c.Bucket, defaultBucket)
	c.MaxBytes = cmp.Or(c.MaxBytes, defaultMaxBytes)
	c.Bound, c.Lease, c.Wait = cmp.Or(c.Bound, defaultBound), cmp.Or(c.Lease, defaultLease), cmp.Or(c.Wait, defaultWait)
	switch {
	case !bucketName.MatchString(c.Bucket):
		return nil,
			fmt.Errorf("natscache: the bucket's name %s has other characters than letters, digits, hyphens and underscores",
				printable.Quoted(c.Bucket, 100))
	case c.Bound < 0 || c.Wait < 0 || c.MaxBytes < 0:
		return nil, errors.New("natscache: a time or size of the Config is less than 0: use 0 for the default")
	case c.Lease < 100*time.Millisecond:
		return nil, errors.New("natscache: Config.Lease is less than the 100ms that NATS can count")
	}
	if c.Local == nil {
		c.Local = new(fetch.Memory)
	}
	if c.Notice == nil {
		c.Notice = func(error) {}
	}
	options := append([]nats.Option{
		nats.ReconnectWait(retry), nats.Timeout(2 * time.Second), nats.PingInterval(5 * time.Second),
	}, c.Options...)
	conn, err := cluster.Connect(c.URL, "robots fetch", options...)
	if err != nil {
		return nil, fmt.Errorf("natscache: %w", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	cache := &Cache{
		config: c, retry: retry, holder: []byte(leaseForm + rand.Text()), conn: conn, stop: stop,
		done:     make(chan struct{}),
		unshared: make(chan string, maxUnshared), told: make(map[string]time.Time),
	}
	sessions := &cluster.Sessions{
		Conn: conn, Retry: retry, Notice: c.Notice, Quiet: quiet,
		First: "robots.txt is shared through NATS", Again: "robots.txt is shared through NATS",
		Apart: "robots.txt is not shared through NATS now",
	}
	go func() {
		defer close(cache.done)
		sessions.Run(ctx, cache.share)
	}()
	return cache, nil
}

// Close gives the leases of this process back, if the cluster answers, and ends the connection. A
// client may still use the cache, which is local then.
func (c *Cache) Close() {
	c.stop()
	<-c.done
	c.work.Wait()
	c.conn.Close()
}

// Stats returns the state and the counts of the cache.
func (c *Cache) Stats() Stats {
	n := &c.counts
	return Stats{
		Together: c.session() != nil, Lost: n.lost.Load(),
		Found: n.found.Load(), Missing: n.missing.Load(), Damaged: n.damaged.Load(), Refused: n.refused.Load(),
		Led: n.led.Load(), Waited: n.waited.Load(), Overdue: n.overdue.Load(),
	}
}

// say sends a message of a kind, unless there was one within the last minute.
func (c *Cache) say(kind string, err error) {
	c.mu.Lock()
	last, ok := c.told[kind]
	now := !ok || time.Since(last) >= quiet
	if now {
		c.told[kind] = time.Now()
	}
	c.mu.Unlock()
	if now {
		c.config.Notice(err)
	}
}
