package journal_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

func charter(t testing.TB, j *journal.Journal, want string) *journal.Charter {
	t.Helper()
	c, last, err := j.OpenCharter(t.Context())
	if err != nil || string(last) != want {
		t.Fatalf("the last entry is %q, %v; want %q", last, err, want)
	}
	return c
}

// TestCharter has several processes write into one charter at once: each entry follows the one that
// its writer knows, and all others are refused.
func TestCharter(t *testing.T) {
	t.Parallel()
	server := share(t)
	o := journal.Options{Partitions: 4, Streams: 1, Name: "mine"}
	j := place{url: server.url()}.open(t, o)
	const writers = 8
	var charters []*journal.Charter
	for range writers {
		charters = append(charters, charter(t, place{url: server.url()}.open(t, o), ""))
	}
	errs := make([]error, writers)
	var all sync.WaitGroup
	for i, c := range charters {
		all.Go(func() { errs[i] = c.Add(t.Context(), []byte(fmt.Sprint("writer ", i))) })
	}
	all.Wait()
	won := slices.Index(errs, nil)
	for i, err := range errs {
		if i != won && !errors.Is(err, journal.ErrFenced) {
			t.Errorf("writer %d, beside writer %d: %v, want %v", i, won, err, journal.ErrFenced)
		}
	}
	want := []string{fmt.Sprint("writer ", won), "second"}
	fatal.If(t, charters[won].Add(t.Context(), []byte("second")))
	c := charter(t, j, "second")
	var got []string
	fatal.If(t, c.Each(t.Context(), func(entry []byte) error {
		got = append(got, string(entry))
		return nil
	}))
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if names, err := journal.Names(t.Context(), server.url()); err != nil || !slices.Equal(names, []string{"mine"}) {
		t.Errorf("the server has %q, %v", names, err)
	}
	if err := c.Add(t.Context(), make([]byte, journal.MaxRecord+1)); !errors.Is(err, journal.ErrTooLong) {
		t.Error(err)
	}
}

// TestCharterAnswerLost loses the answer to an entry: the writer finds its entry, and goes on.
func TestCharterAnswerLost(t *testing.T) {
	t.Parallel()
	server := share(t)
	w := wireTo(t, server.address)
	o := journal.Options{Partitions: 4, Streams: 1}
	direct := place{url: server.url()}.open(t, o)
	c := charter(t, place{url: "nats://" + w.Addr().String()}.open(t, o), "")
	w.set(false, true)
	added := make(chan error, 1)
	go func() { added <- c.Add(t.Context(), []byte("first")) }()
	for {
		if _, last, err := direct.OpenCharter(t.Context()); err != nil || last != nil {
			fatal.If(t, err)
			break
		}
	}
	w.set(true, false)
	w.set(false, false)
	fatal.If(t, <-added)
	fatal.If(t, c.Add(t.Context(), []byte("second")))
	charter(t, direct, "second")
}

// TestUnchartered opens a journal of an earlier version, which has records and no charter.
func TestUnchartered(t *testing.T) {
	t.Parallel()
	server := share(t)
	o := journal.Options{Partitions: 4, Streams: 1}
	j := place{url: server.url()}.open(t, o)
	write(t, claim(t, j, 1), "record")
	j.Close()
	j = place{url: server.url()}.open(t, o)
	c, last, err := j.OpenCharter(context.Background())
	if !errors.Is(err, journal.ErrUnchartered) || last != nil {
		t.Fatalf("got %q, %v", last, err)
	}
	fatal.If(t, c.Add(t.Context(), []byte("mine")))
	charter(t, j, "mine")
}
