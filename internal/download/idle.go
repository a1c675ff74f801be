package download

import (
	"container/list"
	"sync"
	"time"
)

// idle keeps connections for requests to come: one for each origin, so many in
// all, for so long.
type idle struct {
	most int
	life time.Duration

	mu       sync.Mutex
	byOrigin map[string]*list.Element // of order
	order    list.List                // of *idleConn, the last one used first
	timer    *time.Timer              // closes those that were kept long enough
	closed   bool
}

// An idleConn is a pooled connection.
type idleConn struct {
	*conn
	until time.Time
}

// take returns the connection to an origin, which is the caller's from then on, or
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

// put keeps a connection, or closes it.
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

// remove takes a connection out.
func (i *idle) remove(e *list.Element) *conn {
	k := i.order.Remove(e).(*idleConn)
	delete(i.byOrigin, k.origin)
	return k.conn
}

// sweep closes the connections that were kept long enough.
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

// closeOf closes the connection to an origin.
func (i *idle) closeOf(origin string) {
	i.mu.Lock()
	e := i.byOrigin[origin]
	var cn *conn
	if e != nil {
		cn = i.remove(e)
	}
	i.mu.Unlock()
	if cn != nil {
		cn.close()
	}
}

// close closes all connections, and those that come later.
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
