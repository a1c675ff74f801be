package store

import (
	"encoding/hex"
	"testing"
	"time"
)

// frozen compares a stored form with its golden value, in hex.
func frozen(t *testing.T, what string, form []byte, want string) {
	t.Helper()
	if got := hex.EncodeToString(form); got != want {
		t.Errorf("%s is\n%s\nand in stores on disks\n%s\nA new form needs a new version, and the one before must still be read, or be refused with what to do.", what, got, want)
	}
}

// TestStored fixes the numbers, the letters and the forms that are stored.
func TestStored(t *testing.T) {
	tables := string([]byte{partTable, hostTable, stateTable, seenTable, queueTable, urlTable,
		markTable, loadTable}) + string(formatKey)
	if want := "phosqumlf"; tables != want {
		t.Errorf("the tables are %s, and %s in stores on disks", tables, want)
	}
	if version != 1 || format != 2 || isQueued != 1 || isDone != 2 || saltLen != 16 {
		t.Errorf("version %d, format %d, flags %d and %d, salt of %d bytes", version, format, isQueued, isDone, saltLen)
	}

	kinds := string([]byte{dumpPart, dumpHost, dumpSeen, dumpURL, dumpEnd})
	if want := "phsue"; kinds != want {
		t.Errorf("the entries of dumps are %s, and %s in object stores", kinds, want)
	}

	at := time.UnixMilli(1_800_000_000_123).UTC()
	r := record{queued: true, done: true, at: position{priority: 2, due: at.UnixMilli(), order: 9}}
	r.item = Item{Partition: 7, Crawl: 3, URL: "http://a.test/x", Depth: 5, Via: "http://a.test/y", Hints: []byte{0, 1},
		Tries: 4}
	r.state = State{Fetched: at, Status: 200, ETag: `"e"`, LastModified: "Mon", Digest: []byte{9}, Simhash: 1 << 60,
		Interval: time.Hour}
	frozen(t, "a record", r.append(nil),
		"01030207030f687474703a2f2f612e746573742f78050e0179020001fba0f1c2b13404fba0f1c2b134c80103226522034d6f6e0109000000000000001080dddb01")
	p := part{applied: 300, order: 400, Counts: Counts{Hosts: 1, Seen: 2, Queued: 3, Done: 4}}
	p.refused[2] = 5
	frozen(t, "a part", p.append(nil), "01ac0290030102030403000005")
	h := hostRecord{"http://a.test", Counts{Hosts: 1, Seen: 2, Queued: 3, Done: 4}}
	frozen(t, "a host", h.append(nil), "010d687474703a2f2f612e74657374020304")
	host := hostKey{7, 1, 2, 3, 4, 5, 6, 7, 8}
	frozen(t, "the key of a queue", appendQueueKey(nil, host, r.at),
		"7107010203040506070802000001a3185c507b0000000000000009")
	frozen(t, "the key of a URL in the seen-set", appendSeenKey(nil, &key{7, 1, 2, 3}),
		"7307010203000000000000000000000000000000")
}
