package main

import (
	"math"
	"testing"
	"time"
)

// The line about a survey fits a terminal of 80 columns, whatever the numbers.
func TestProgressLine(t *testing.T) {
	for _, c := range []struct {
		done, total int
		elapsed     time.Duration
		want        string
	}{
		{0, 3, 0, "origins: 0/3"},
		{1, 3, 0, "origins: 1/3"},
		{1, -1, 999 * time.Millisecond, "origins: 1"},
		{0, 300, time.Hour, "origins: 0/300"},
		{20, 300, 5 * time.Second, "origins: 20/300, 4.0/s, 1m10s left"},
		{300, 300, time.Minute, "origins: 300/300, 5.0/s"},
		{301, 300, time.Minute, "origins: 301/300, 5.0/s"}, // lines were added to the file meanwhile
		{20, -1, 5 * time.Second, "origins: 20, 4.0/s"},
		{1, 1e9, time.Hour, "origins: 1/1000000000, 0.0/s"}, // more time than a Duration has
		{3, 1200, time.Hour, "origins: 3/1200, 0.0/s, 399h0m0s left"},
	} {
		got := progressLine(c.done, c.total, c.elapsed)
		if got != c.want {
			t.Errorf("progressLine(%d, %d, %v) = %q, want %q", c.done, c.total, c.elapsed, got, c.want)
		}
	}
	if got := progressLine(math.MaxInt32/2, math.MaxInt32, 999*time.Hour); len(got) >= 80 {
		t.Errorf("%q has %d columns", got, len(got))
	}
}

// The line about the reading of logs fits a terminal of 80 columns, whatever the numbers.
func TestReadLine(t *testing.T) {
	for _, c := range []struct {
		read, total int64
		elapsed     time.Duration
		want        string
	}{
		{0, 453e6, 2 * time.Second, "read 0 of 453 MB"},
		{120e6, 453e6, 3 * time.Second, "read 120 of 453 MB, 40 MB/s, 8s left"},
		{500e6, 453e6, 5 * time.Second, "read 500 of 453 MB, 100 MB/s"}, // the log grows meanwhile
		{120e6, -1, 3 * time.Second, "read 120 MB, 40 MB/s"},
	} {
		if got := readLine(c.read, c.total, c.elapsed); got != c.want {
			t.Errorf("readLine(%d, %d, %v) = %q, want %q", c.read, c.total, c.elapsed, got, c.want)
		}
	}
	if got := readLine(math.MaxInt64/2, math.MaxInt64, 999*time.Hour); len(got) >= 80 {
		t.Errorf("%q has %d columns", got, len(got))
	}
}
