package crawl

import (
	"container/heap"
	"time"
)

// dueHosts are the hosts that are due now or later, in a heap by time. Workers wait for the first
// of them.
//
// # Invariant
//
//   - A host is in the heap if and only if its state is hostDue. host.index is its index, and -1
//     outside of the heap.
//   - No host is due before its parent in the heap.
//   - When the first host changes to one that is due sooner, one worker is woken: the timers of
//     all waiting workers may end later.
//
// All of this belongs to a frontier, which guards it with its lock.
type dueHosts struct {
	heap hostHeap
	wake chan struct{} // wakes one worker that waits
}

func newDueHosts() *dueHosts { return &dueHosts{wake: make(chan struct{}, 1)} }

// wakeOne wakes a worker that waits in [frontier.lease]. If none waits, the next worker does not
// wait.
func (d *dueHosts) wakeOne() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// push makes a host due at a time.
func (d *dueHosts) push(h *host, at time.Time) {
	h.state, h.at = hostDue, at
	heap.Push(&d.heap, h)
	d.wakeFor(h)
}

// hurry makes a host of the heap due sooner, unless it is due before that time.
func (d *dueHosts) hurry(h *host, at time.Time) {
	if at.Before(h.at) {
		h.at = at
		heap.Fix(&d.heap, h.index)
		d.wakeFor(h)
	}
}

// delay makes a host of the heap due later, unless it is due after that time.
func (d *dueHosts) delay(h *host, at time.Time) {
	if at.After(h.at) {
		h.at = at
		heap.Fix(&d.heap, h.index)
	}
}

// wakeFor wakes a worker if a host is the first.
func (d *dueHosts) wakeFor(h *host) {
	if h.index == 0 {
		d.wakeOne()
	}
}

// remove takes a host out of the heap. The caller must change the state of the host.
func (d *dueHosts) remove(h *host) { heap.Remove(&d.heap, h.index) }

// first returns the host that is due first, or nil.
func (d *dueHosts) first() *host {
	if len(d.heap) == 0 {
		return nil
	}
	return d.heap[0]
}

// hasDue reports whether a host is due now.
func (d *dueHosts) hasDue(now time.Time) bool {
	return len(d.heap) > 0 && !d.heap[0].at.After(now)
}

// A hostHeap is a heap of hosts, ordered by the time at which they are due.
type hostHeap []*host

func (q hostHeap) Len() int           { return len(q) }
func (q hostHeap) Less(i, j int) bool { return q[i].at.Before(q[j].at) }

func (q hostHeap) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}

func (q *hostHeap) Push(h any) {
	h.(*host).index = len(*q)
	*q = append(*q, h.(*host))
}

func (q *hostHeap) Pop() any {
	last := len(*q) - 1
	h := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	h.index = -1
	return h
}

// soonest returns the n hosts of a heap that are due first, in order. It looks at about 2n hosts,
// however large the heap is.
func (q hostHeap) soonest(n int) []*host {
	if n = min(n, len(q)); n <= 0 {
		return nil
	}
	first := make([]*host, 0, n)
	next := &indexHeap{of: q, indexes: []int{0}}
	for len(first) < n {
		i := heap.Pop(next).(int)
		first = append(first, q[i])
		for _, child := range []int{2*i + 1, 2*i + 2} {
			if child < len(q) {
				heap.Push(next, child)
			}
		}
	}
	return first
}

// An indexHeap is a heap of indexes of another heap, ordered by the hosts at these indexes.
type indexHeap struct {
	of      hostHeap
	indexes []int
}

func (q *indexHeap) Len() int           { return len(q.indexes) }
func (q *indexHeap) Less(i, j int) bool { return q.of.Less(q.indexes[i], q.indexes[j]) }
func (q *indexHeap) Swap(i, j int)      { q.indexes[i], q.indexes[j] = q.indexes[j], q.indexes[i] }
func (q *indexHeap) Push(i any)         { q.indexes = append(q.indexes, i.(int)) }

func (q *indexHeap) Pop() any {
	last := len(q.indexes) - 1
	i := q.indexes[last]
	q.indexes = q.indexes[:last]
	return i
}
