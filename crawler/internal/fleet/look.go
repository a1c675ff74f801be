package fleet

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
	cluster "github.com/robotsexclusion/robots/internal/nats"
)

// A View is what the servers know of the workers of a crawl.
type View struct {
	Crawl string    `json:"crawl"`
	At    time.Time `json:"at"` // by the clock of the servers
	// The counts are those of so many partitions, of all. A partition counts as its live worker has
	// told, or else as the worker did that had it last.
	Partitions int `json:"partitions"`
	Of         int `json:"partitions_of"`
	Counts
	Workers []Row     `json:"workers"` // those alive first
	Missing []Missing `json:"missing,omitempty"`
}

// lookTime is how long a look waits for the servers.
const lookTime = 10 * time.Second

// Look reads what the servers at an address of package nats know of the workers of a crawl. It
// changes nothing there.
func Look(ctx context.Context, address, name string) (*View, error) {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	conn, err := cluster.Connect(address, "robots status")
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	js, err := jetstream.New(conn.Conn)
	if err != nil {
		return nil, err
	}
	v := &View{Crawl: name}
	s, err := js.Stream(ctx, "KV_"+name+"-fleet")
	if errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrInvalidStreamName) {
		return nil, unshared(ctx, address, name)
	}
	if err == nil && s.CachedInfo().Config.Metadata[formatKey] != format {
		return nil, fmt.Errorf("the bucket %s-fleet is not of workers of this version of robots: "+
			"it has the form %q, not %q", name, s.CachedInfo().Config.Metadata[formatKey], format)
	}
	if err == nil {
		err = v.read(ctx, js, s)
	}
	if err != nil {
		return nil, fmt.Errorf("the workers of %s: %w", name, conn.Why(err))
	}
	v.sum()
	return v, nil
}

// unshared says why there are no workers to look at.
func unshared(ctx context.Context, address, name string) error {
	names, err := journal.Names(ctx, address)
	switch {
	case err != nil:
		return err
	case slices.Contains(names, name):
		return fmt.Errorf("no workers share the crawl %s: ask for its status in its folder, with --dir", name)
	case len(names) == 0:
		return errors.New("the NATS server has no crawl")
	}
	slices.Sort(names)
	if name == "" {
		return fmt.Errorf("name the crawl with --name: the NATS server has %s", strings.Join(names, ", "))
	}
	return fmt.Errorf("the NATS server has no crawl %s, but %s: name one with --name", name, strings.Join(names, ", "))
}

// read reads the keys of all workers.
func (v *View) read(ctx context.Context, js jetstream.JetStream, s jetstream.Stream) error {
	values, err := js.KeyValue(ctx, v.Crawl+"-fleet")
	if err != nil {
		return err
	}
	keys, err := values.WatchAll(ctx, jetstream.IgnoreDeletes())
	if err != nil {
		return err
	}
	defer keys.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case e, ok := <-keys.Updates():
			if !ok {
				return errors.New("the connection to the NATS servers is lost")
			}
			if e != nil {
				v.add(e)
				continue
			}
		}
		break
	}
	info, err := s.Info(ctx)
	if err != nil {
		return err
	}
	v.At = info.TimeStamp.UTC()
	lease := leaseOf(info.Config.Metadata[timesKey])
	for i := range v.Workers {
		if w := &v.Workers[i]; w.State == string(alive) && v.At.Sub(w.Beat) >= lease {
			w.State = "silent"
		}
	}
	return nil
}

// add adds the worker of a key. A key that is not of a worker is left out, as workers do.
func (v *View) add(e jetstream.KeyValueEntry) {
	number, ok := workerAt(e.Key())
	if !ok {
		return
	}
	got, err := decode(cluster.Value{Data: e.Value(), Revision: e.Revision()}, number)
	if err != nil {
		return
	}
	v.Workers = append(v.Workers,
		Worker{number, got.Session, string(got.State), got.Note, got.Report, e.Created().UTC()}.Row())
}

// leaseOf returns the lease that the metadata of a bucket has.
func leaseOf(times string) time.Duration {
	_, rest, _ := strings.Cut(times, "lease ")
	text, _, _ := strings.Cut(rest, ",")
	lease, err := time.ParseDuration(text)
	if err != nil {
		return Standard.Lease
	}
	return lease
}

// sum sorts the workers, and adds up what they told.
func (v *View) sum() {
	live := func(r Row) int { // first
		if r.State == string(alive) {
			return 0
		}
		return 1
	}
	slices.SortFunc(v.Workers, func(a, b Row) int {
		return cmp.Or(live(a)-live(b), b.Told.Compare(a.Told), strings.Compare(a.Number, b.Number))
	})
	var known []byte
	for _, r := range v.Workers {
		v.Of = max(v.Of, 8*len(r.held))
		for _, m := range r.missing {
			if at := slices.IndexFunc(v.Missing, func(o Missing) bool { return o.Worker == m.Worker }); at >= 0 {
				v.Missing[at].Pages += m.Pages
			} else {
				v.Missing = append(v.Missing, m)
			}
		}
		// A partition that has just moved may be in two reports of live workers. A worker that has
		// ended does not count if another one has had a partition of it since.
		if live(r) > 0 && overlaps(known, r.held) {
			continue
		}
		v.add1(r, &known)
	}
	for _, b := range known {
		v.Partitions += bits.OnesCount8(b)
	}
	slices.SortFunc(v.Missing, func(a, b Missing) int { return strings.Compare(a.Worker, b.Worker) })
}

// add1 adds the counts of a worker, and its partitions to the known ones.
func (v *View) add1(r Row, known *[]byte) {
	v.Counts.add(r.Counts)
	if n := len(r.held) - len(*known); n > 0 {
		*known = append(*known, bytes.Repeat([]byte{0}, n)...)
	}
	for i, b := range r.held {
		(*known)[i] |= b
	}
}

// Live returns how many workers are alive.
func (v *View) Live() (n int) {
	for _, r := range v.Workers {
		if r.State == string(alive) {
			n++
		}
	}
	return n
}

// Last returns when the last of the workers told something, or the zero time.
func (v *View) Last() (at time.Time) {
	for _, r := range v.Workers {
		if r.Told.After(at) {
			at = r.Told
		}
	}
	return at
}
