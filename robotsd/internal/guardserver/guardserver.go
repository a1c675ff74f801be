// Package guardserver is the server of the verb guard: a reverse proxy with a guard before it, or
// the answers that other proxies ask for before they serve a request.
package guardserver

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/printable"
)

// Options are the options of a server.
type Options struct {
	Guard *guard.Guard

	// Upstream is the server that the proxy passes requests to: a URL with a scheme and a host. If
	// it is nil, the server answers other proxies: see the method authorize.
	Upstream *url.URL

	// Proxies are the proxies before this one. What they say of their clients is passed on to the
	// upstream.
	Proxies guard.Proxies

	// Forwarded says that the proxies write the field Forwarded, and not X-Forwarded-For.
	Forwarded bool

	// Timeout is how long the upstream may take until its answer begins.
	Timeout time.Duration

	// Stall is how long a client may be waited for while it sends or takes 16 KiB of a body, or of
	// a connection that was upgraded. Then its request is ended. If it is 0, a client may take any
	// time.
	Stall time.Duration

	// Record, if it is not nil, gets a record of each request after the answer.
	Record func(*Record)

	// Notice gets messages for the operator, one a second at most.
	Notice func(error)
}

// A Record is a request with the decision about it, and the answer.
type Record struct {
	Begin    time.Time
	Duration time.Duration
	Request  *http.Request // its RequestURI is the target that was decided about
	Client   netip.Addr    // the address of the client, or zero
	Decision guard.Decision
	Status   int
	Size     int64 // of the body of the answer, in bytes
}

// Limits of connections.
const (
	headerTimeout = 10 * time.Second // to read the header of a request
	idleTimeout   = 2 * time.Minute
	maxHeader     = 64 << 10
	// of a proxy that asks: as much as Caddy and Traefik take from a client, and what they add
	maxAskedHeader = 2 << 20
	maxIdle        = 512 // idle connections to the upstream
	// upstreamIdle is less than what servers wait for the next request: gunicorn 2 s, Apache httpd
	// and Node 5 s. A server that ends a connection just when a request with a body comes costs
	// that request.
	upstreamIdle = 1500 * time.Millisecond
)

// New returns a server. It speaks HTTP/1.1, and HTTP/2 with TLS, and without if the client knows
// that.
func New(o Options) *Server {
	o.Notice = limited(o.Notice)
	s := &server{Options: o, notices: log.New(noticeWriter{o.Notice}, "", 0)}
	handler, longest := s.authorize, maxAskedHeader
	if o.Upstream != nil {
		proxy := passPaths(s.proxy())
		handler = func(w http.ResponseWriter, r *http.Request) { s.decide(w, r, proxy) }
		longest = maxHeader
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(true)
	out := Drained(&http.Server{
		Handler: steady(o.Stall, handler), Protocols: protocols, ErrorLog: s.notices,
		ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: longest,
	})
	out.stall = o.Stall
	return out
}

type server struct {
	Options
	notices *log.Logger
}

// decide answers a request, or passes it to next.
func (s *server) decide(w http.ResponseWriter, r *http.Request, next http.Handler) {
	began := time.Now()
	d := s.Guard.Decide(r)
	s.fault(d)
	if r.Header["Upgrade"] != nil {
		w = upgradeWriter{w}
	}
	if s.Record != nil {
		counted := &countedWriter{ResponseWriter: w, status: http.StatusOK}
		w = counted
		defer func() {
			s.Record(&Record{Begin: began, Duration: time.Since(began), Request: r, Client: s.client(r), Decision: d,
				Status: counted.status, Size: counted.size})
		}()
	}
	s.Guard.Serve(w, r, d, next)
}

// fault reports a fault of the guard.
func (s *server) fault(d guard.Decision) {
	if d.Reason == guard.Fault {
		s.Notice(fmt.Errorf("the guard could not decide about a request: %w", d.Err))
	}
}

// proxy returns the proxy to the upstream.
func (s *server) proxy() *httputil.ReverseProxy {
	transport := &http.Transport{
		DialContext:           (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		ResponseHeaderTimeout: s.Timeout,
		TLSHandshakeTimeout:   10 * time.Second,
		MaxIdleConnsPerHost:   maxIdle,
		IdleConnTimeout:       upstreamIdle,
		DisableCompression:    true, // the answer passes as the upstream encodes it
		ForceAttemptHTTP2:     true,
	}
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(s.Upstream)
			r.Out.URL.RawQuery = r.In.URL.RawQuery // the proxy would drop parts that Go cannot parse, such as "b;c"
			r.Out.Host = r.In.Host                 // the upstream may serve several hosts
			s.setForwarded(r)
			if DropUpgrade(r.Out.Header); r.Out.Header["Upgrade"] == nil {
				delete(r.Out.Header, "Connection") // the proxy has set it for the upgrade
			}
		},
		Transport:    transport,
		BufferPool:   buffers{},
		ErrorLog:     s.notices,
		ErrorHandler: s.failed,
	}
}

// passPaths passes on requests with a path. The proxy would make a path of "*" and of the host of
// CONNECT. net/http answers OPTIONS * itself.
func passPaths(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodConnect:
			w.Header().Set("Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")
			http.Error(w, "405 Method Not Allowed", http.StatusMethodNotAllowed)
		case r.RequestURI == "*":
			http.Error(w, "400 Bad Request", http.StatusBadRequest)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// DropUpgrade drops from a header what asks a server for another protocol, unless that is
// WebSocket. In the others, such as h2c, requests would follow that the guard never sees.
func DropUpgrade(h http.Header) {
	if protocols := h["Upgrade"]; len(protocols) != 1 || !strings.EqualFold(protocols[0], "websocket") {
		delete(h, "Upgrade")
	}
	delete(h, "Http2-Settings")
}

// client returns the address of the client of a request, or the zero address.
func (s *server) client(r *http.Request) netip.Addr {
	if s.Forwarded {
		return s.Proxies.ForwardedClient(r)
	}
	return s.Proxies.Client(r)
}

// fieldsOfProxies are the fields by which proxies tell a server about their client, or about the
// target that the client asked for. The guard sets X-Forwarded-For, -Host and -Proto and X-Real-IP
// itself.
var fieldsOfProxies = func() map[string]bool {
	fields := make(map[string]bool)
	for _, name := range []string{"Ali-Cdn-Real-Ip", "Cf-Connecting-Ip", "Cf-Connecting-Ipv6",
		"Cf-Pseudo-Ipv4", "Client-Ip",
		"Do-Connecting-Ip", "Fastly-Client-Ip", "Fly-Client-Ip", "Forwarded-For", "Incap-Client-Ip", "Proxy-Client-Ip",
		"True-Client-Ip", "Wl-Proxy-Client-Ip", "X-Appengine-User-Ip", "X-Azure-Clientip", "X-Azure-Socketip",
		"X-Client-Ip", "X-Cluster-Client-Ip", "X-Envoy-External-Address", "X-Envoy-Original-Path", "X-Forwarded",
		"X-Forwarded-Method", "X-Forwarded-Path", "X-Forwarded-Port", "X-Forwarded-Prefix", "X-Forwarded-Uri",
		"X-Nf-Client-Connection-Ip", "X-Original-Forwarded-For", "X-Original-Host", "X-Original-Method",
		"X-Original-Path", "X-Original-Uri", "X-Original-Url", "X-Originating-Ip", "X-Proxyuser-Ip", "X-Remote-Addr",
		"X-Remote-Ip", "X-Replaced-Path", "X-Rewrite-Url", "X-Script-Name", "X-Sucuri-Clientip",
		"X-Vercel-Forwarded-For", "X-Waws-Unencoded-Url"} {
		fields[name] = true
	}
	return fields
}()

// dropFields drops the fields of proxies that no trusted proxy has written. Servers of CGI, WSGI
// and PHP read "X_Original_URL" as X-Original-URL; no proxy writes it so.
func dropFields(h http.Header, trusted bool) {
	for name := range h {
		if strings.Contains(name, "_") {
			switch usual := http.CanonicalHeaderKey(strings.ReplaceAll(name, "_", "-")); usual {
			case "Forwarded", "X-Forwarded-For", forwardedHost, "X-Forwarded-Proto", "X-Real-Ip":
				delete(h, name)
			default:
				if fieldsOfProxies[usual] {
					delete(h, name)
				}
			}
		} else if !trusted && fieldsOfProxies[name] {
			delete(h, name)
		}
	}
}

// setForwarded tells the upstream about the client. What the client itself says counts only if it
// is a trusted proxy.
func (s *server) setForwarded(r *httputil.ProxyRequest) {
	trusted := s.Proxies.Trusts(r.In)
	switch {
	case trusted && s.Forwarded:
		r.Out.Header["Forwarded"] = r.In.Header["Forwarded"]
		if client := s.client(r.In); client.IsValid() {
			r.Out.Header.Set("X-Forwarded-For", client.String())
		}
	case trusted:
		r.Out.Header["X-Forwarded-For"] = r.In.Header["X-Forwarded-For"]
	}
	r.SetXForwarded()
	dropFields(r.Out.Header, trusted)
	r.Out.Header.Del("X-Real-Ip")
	if client := s.client(r.In); client.IsValid() {
		r.Out.Header.Set("X-Real-Ip", client.String())
	}
	for _, name := range []string{"X-Forwarded-Host", "X-Forwarded-Proto"} {
		if value := r.In.Header.Get(name); trusted && value != "" {
			r.Out.Header.Set(name, value)
		}
	}
}

// failed answers a request for which the upstream has no answer.
func (s *server) failed(w http.ResponseWriter, r *http.Request, err error) {
	status := 0
	if errors.Is(err, errStalled) {
		status = http.StatusRequestTimeout
	} else if body, ok := r.Context().Value(bodyKey{}).(*steadyBody); ok {
		switch {
		case r.Context().Err() != nil && body.hasStalled(): // net/http cancels a request whose body cannot be read
			status = http.StatusRequestTimeout
		case body.broken.Load():
			status = http.StatusBadRequest
		}
	}
	if status != 0 {
		if r.ProtoMajor == 1 {
			w.Header().Set("Connection", "close") // the rest of the body would follow
		}
		http.Error(w, fmt.Sprintf("%d %s", status, http.StatusText(status)), status)
		return
	}
	if r.Context().Err() != nil {
		w.WriteHeader(http.StatusBadGateway) // the client has gone
		return
	}
	status = http.StatusBadGateway
	if timeout := net.Error(nil); errors.As(err, &timeout) && timeout.Timeout() ||
		errors.Is(err, context.DeadlineExceeded) {
		status = http.StatusGatewayTimeout
	}
	s.Notice(fmt.Errorf("the upstream does not answer: %w", err))
	http.Error(w, fmt.Sprintf("%d %s", status, http.StatusText(status)), status)
}

// A countedWriter counts an answer.
type countedWriter struct {
	http.ResponseWriter
	status int
	size   int64
}

// WriteHeader keeps the status, unless the status is informational and another one follows.
func (w *countedWriter) WriteHeader(status int) {
	if status >= 200 || status == http.StatusSwitchingProtocols {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *countedWriter) Write(b []byte) (int, error) {
	n, err := w.ResponseWriter.Write(b)
	w.size += int64(n)
	return n, err
}

// Unwrap lets the proxy flush an answer and take the connection over.
func (w *countedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// buffers are the buffers of a proxy.
type buffers struct{}

var bufferPool = sync.Pool{New: func() any { return new([32 << 10]byte) }}

func (buffers) Get() []byte  { return bufferPool.Get().(*[32 << 10]byte)[:] }
func (buffers) Put(b []byte) { bufferPool.Put((*[32 << 10]byte)(b)) }

// limited returns a function that passes one notice a second at most, because each request may be
// the reason for one.
func limited(notice func(error)) func(error) {
	var mu sync.Mutex
	var last time.Time
	return func(err error) {
		mu.Lock()
		defer mu.Unlock()
		if now := time.Now(); now.Sub(last) >= time.Second {
			last = now
			notice(err)
		}
	}
}

// A noticeWriter turns the lines of a log into notices.
type noticeWriter struct{ notice func(error) }

func (w noticeWriter) Write(b []byte) (int, error) {
	w.notice(errors.New(printable.Text(strings.TrimSpace(string(b)))))
	return len(b), nil
}
