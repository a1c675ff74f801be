package download

import (
	"container/list"
	"sync"
	"time"
)

// idle is a pool of connections: one for each origin, with a limit on their number and
// age.
type idle struct {
	most int
	life time.Duration

	mu       sync.Mutex
	byOrigin map[string]*list.Element // of order
	order    list.List                // of *idleConn, the last one used first
	timer    *time.Timer              // closes expired connections
	closed   bool
}

// An idleConn is a pooled connection.
type idleConn struct {
	*conn
	until time.Time
}

// take returns the connection to an origin and removes it from the pool, or returns
// nil.
func (i *idle) take(origin string) *conn {
	i.mu.Lock()
	e := i.byOrigin[origin]
	var cn *conn
	if e != nil {
		cn = i.remove(e)
	}
	i.mu.Unlock()
	if cn != nil && !cn.open() {
		cn.close()
		cn = nil
	}
	return cn
}

// put adds a connection to the pool, or closes it.
func (i *idle) put(cn *conn) {
	i.mu.Lock()
	if i.closed || i.most == 0 {
		i.mu.Unlock()
		cn.close()
		return
	}
	var surplus *conn
	if e := i.byOrigin[cn.origin]; e != nil {
		surplus = i.remove(e)
	} else if i.order.Len() >= i.most {
		surplus = i.remove(i.order.Back())
	}
	if i.byOrigin == nil {
		i.byOrigin = make(map[string]*list.Element)
	}
	i.byOrigin[cn.origin] = i.order.PushFront(&idleConn{cn, time.Now().Add(i.life)})
	switch {
	case i.timer == nil:
		i.timer = time.AfterFunc(i.life, i.sweep)
	case i.order.Len() == 1:
		i.timer.Reset(i.life)
	}
	i.mu.Unlock()
	if surplus != nil {
		surplus.close()
	}
}

// remove removes a connection from the pool.
func (i *idle) remove(e *list.Element) *conn {
	k := i.order.Remove(e).(*idleConn)
	delete(i.byOrigin, k.origin)
	return k.conn
}

// sweep closes expired connections.
func (i *idle) sweep() {
	var due []*conn
	i.mu.Lock()
	for e := i.order.Back(); e != nil; e = i.order.Back() {
		wait := time.Until(e.Value.(*idleConn).until)
		if wait > 0 {
			i.timer.Reset(wait)
			break
		}
		due = append(due, i.remove(e))
	}
	i.mu.Unlock()
	for _, cn := range due {
		cn.close()
	}
}

// close closes all connections, and those that are put later.
func (i *idle) close() {
	i.mu.Lock()
	i.closed = true
	var all []*conn
	for e := i.order.Back(); e != nil; e = i.order.Back() {
		all = append(all, i.remove(e))
	}
	if i.timer != nil {
		i.timer.Stop()
	}
	i.mu.Unlock()
	for _, cn := range all {
		cn.close()
	}
}
