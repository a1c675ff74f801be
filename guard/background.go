package guard

import (
	"context"
	"sync"
	"time"
)

// A background finds answers to questions and keeps them. Asking never waits: the answer comes from
// workers, which end when nothing is asked. Memory and work are bounded, for any number of
// questions that strangers make up.
type background[K comparable, V any] struct {
	// find finds an answer, and says how long it is good. It must end soon after its context.
	find    func(context.Context, K) (V, time.Duration)
	kept    int           // maximum number of answers in each of recent and earlier
	queued  int           // maximum number of questions that wait
	workers int           // maximum number of questions that are asked at once
	timeout time.Duration // for a question

	direct sync.Mutex // held by now

	mu sync.Mutex
	// Answers are dropped in bulk: when recent is full, it becomes earlier. An answer that is used
	// is moved to recent, so the answers about frequent clients stay.
	recent, earlier map[K]answer[V]
	asked           map[K]struct{} // the questions that wait or are asked now
	queue           []K
	running         int // number of workers
	ctx             context.Context
	cancel          context.CancelFunc
	counts          counts
}

type answer[V any] struct {
	value V
	until time.Time // when the question is asked again
}

// counts are the numbers of answered questions, and of questions that did not fit into the queue.
type counts struct{ answered, dropped uint64 }

// maxStale is how long an answer is used after its time, while the next one is not there.
const maxStale = 24 * time.Hour

// get returns the answer to a question, if there is one. If there is none, or it is old, the
// question is asked in the background.
func (b *background[K, V]) get(k K) (v V, ok bool) { return b.look(k, true) }

// look returns the answer to a question, if there is one. An old answer is renewed in the
// background, and a new question asked there if ask is set.
func (b *background[K, V]) look(k K, ask bool) (v V, ok bool) {
	now := time.Now()
	b.mu.Lock()
	defer b.mu.Unlock()
	a, ok := b.recent[k]
	if !ok {
		if a, ok = b.earlier[k]; ok {
			b.keep(k, a)
		}
	}
	if !ok && ask || ok && now.After(a.until) {
		b.ask(k)
		ok = ok && now.Before(a.until.Add(maxStale))
	}
	return a.value, ok
}

// keep keeps an answer. b.mu must be held.
func (b *background[K, V]) keep(k K, a answer[V]) {
	if b.recent == nil || len(b.recent) >= b.kept {
		b.earlier, b.recent = b.recent, make(map[K]answer[V])
	}
	b.recent[k] = a
}

// ask asks a question, unless it is being asked, or too many wait. b.mu must be held.
func (b *background[K, V]) ask(k K) {
	if _, ok := b.asked[k]; ok {
		return
	}
	b.setUp()
	switch {
	case b.ctx.Err() != nil:
		return
	case len(b.queue) >= b.queued:
		b.counts.dropped++
		return
	}
	if b.asked == nil {
		b.asked = make(map[K]struct{})
	}
	b.asked[k] = struct{}{}
	b.queue = append(b.queue, k)
	if b.running < b.workers {
		b.running++
		go b.work()
	}
}

// work answers questions until none waits.
func (b *background[K, V]) work() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.queue) > 0 {
		k := b.queue[0]
		b.queue = b.queue[1:]
		b.mu.Unlock()
		v, good := b.answer(k)
		b.mu.Lock()
		delete(b.asked, k)
		if b.ctx.Err() == nil {
			b.counts.answered++
			b.keep(k, answer[V]{v, time.Now().Add(good)})
		}
	}
	b.queue = nil // its array
	b.running--
}

// pauseAfterFailure is the time until a question without an answer is asked again.
const pauseAfterFailure = time.Minute

// answer returns the answer to a question, which is zero if find panics: a fault there must not end
// the program.
func (b *background[K, V]) answer(k K) (v V, good time.Duration) {
	ctx, cancel := context.WithTimeout(b.ctx, b.timeout)
	defer cancel()
	defer func() {
		if recover() != nil {
			good = pauseAfterFailure
		}
	}()
	return b.find(ctx, k)
}

// now returns the answer to a question, which the caller finds if there is none. Other callers wait
// for it.
func (b *background[K, V]) now(k K) (v V, ok bool) {
	if v, ok = b.look(k, false); ok {
		return v, true
	}
	b.direct.Lock()
	defer b.direct.Unlock()
	if v, ok = b.look(k, false); ok {
		return v, true
	}
	b.mu.Lock()
	b.setUp()
	stopped := b.ctx.Err() != nil
	b.mu.Unlock()
	if stopped {
		return v, false
	}
	v, good := b.answer(k)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.keep(k, answer[V]{v, time.Now().Add(good)})
	return v, true
}

// setUp makes the context of all questions. b.mu must be held.
func (b *background[K, V]) setUp() {
	if b.ctx == nil {
		b.ctx, b.cancel = context.WithCancel(context.Background())
	}
}

// stop ends all questions, for ever.
func (b *background[K, V]) stop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.setUp()
	b.cancel()
	for _, k := range b.queue {
		delete(b.asked, k)
	}
	b.queue = nil
}

// figures returns the counts, and the number of questions that wait or are asked now.
func (b *background[K, V]) figures() (c counts, waiting int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.counts, len(b.asked)
}
