package audit

import (
	"cmp"
	"iter"
	"net/netip"
	"slices"
)

// An answerReader finds the answers to a client, or the last ones before a second. It reads the
// answers once: it must be asked in the order of hits.
type answerReader struct {
	next  func() (hit, bool)
	close func()
	ahead hit
	more  bool
	found []hit // the last answers, all of one client and second; or those of one client
}

func (r *answerReader) start(answers *series) {
	r.next, r.close = iter.Pull(iter.Seq[hit](answers.all))
	r.ahead, r.more = r.next()
}

func (r *answerReader) stop() { r.close() }

// last returns the answers to a client in the last second, not after a second, that has one.
func (r *answerReader) last(client netip.Addr, second int64) []hit {
	for r.more {
		c := r.ahead.client.Compare(client)
		if c > 0 || c == 0 && r.ahead.second > second {
			break
		}
		if len(r.found) > 0 && (r.found[0].client != r.ahead.client || r.found[0].second != r.ahead.second) {
			r.found = r.found[:0]
		}
		r.found = append(r.found, r.ahead)
		r.ahead, r.more = r.next()
	}
	if len(r.found) == 0 || r.found[0].client != client {
		return nil
	}
	return r.found
}

// of returns all answers to a client, each as placed appends it, in order. It must be asked in the
// order of clients, and not together with last.
func (r *answerReader) of(client netip.Addr, placed func([]hit, hit) []hit) []hit {
	if len(r.found) > 0 && r.found[0].client == client {
		return r.found
	}
	r.found = r.found[:0]
	for ; r.more && r.ahead.client.Compare(client) <= 0; r.ahead, r.more = r.next() {
		if r.ahead.client == client {
			r.found = placed(r.found, r.ahead)
		}
	}
	slices.SortStableFunc(r.found, func(g, h hit) int { return cmp.Compare(g.second, h.second) })
	return r.found
}
