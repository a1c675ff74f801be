// Package robotsguard is a module of the web server Caddy: the directive robots_guard makes a site
// enforce its own robots.txt, as package guard does.
package robotsguard

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"

	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/exception"
	"github.com/robotsexclusion/robots/robotsd/internal/guardoptions"
	"github.com/robotsexclusion/robots/robotsd/internal/guardserver"
)

func init() {
	caddy.RegisterModule(Handler{})
}

// A Handler passes the requests that robots.txt allows, and answers the others. Its options are
// those of "robots guard" that are not Caddy's own, such as addresses, certificates and trusted
// proxies.
type Handler struct {
	// Robots is the file with the rules. It is read again when it changes.
	Robots string `json:"robots,omitempty"`

	// Upstream is the origin, such as http://127.0.0.1:8080, whose robots.txt has the rules if
	// there is no Robots. It is fetched each minute.
	Upstream string `json:"upstream,omitempty"`

	// Observe refuses nothing: only counts and logs.
	Observe bool `json:"observe,omitempty"`

	// Status is the status of refusals, from 400 to 499; 0 is 403.
	Status int `json:"status,omitempty"`

	// Methods are the methods whose requests are enforced: GET and HEAD, if there are none.
	Methods []string `json:"methods,omitempty"`

	// PassPaths, PassAddresses and PassHeaders let robots pass: at paths and below them, from
	// addresses and ranges of clients, and with fields such as "X-Token: VALUE" or "X-Token:
	// @FILE".
	PassPaths     []string `json:"pass_path,omitempty"`
	PassAddresses []string `json:"pass_address,omitempty"`
	PassHeaders   []string `json:"pass_header,omitempty"`

	// NoPace does not enforce Crawl-delay, Request-rate and Visit-time.
	NoPace bool `json:"no_pace,omitempty"`

	// Literal compares targets only as they were sent: //private/x is not /private/x.
	Literal bool `json:"literal,omitempty"`

	// FailClosed refuses robots if the guard fails, or has no robots.txt yet.
	FailClosed bool `json:"fail_closed,omitempty"`

	// Preferences adds Content-Usage, X-Robots-Tag and Link with the license to answers, as
	// robots.txt says for the path.
	Preferences bool `json:"preferences,omitempty"`

	// RobotsTag is the X-Robots-Tag that Preferences adds where robots.txt has none for a path.
	RobotsTag string `json:"robots_tag,omitempty"`

	// PaidLicenses are URIs of licenses. Robots without a license are refused with status 402 if
	// robots.txt names these licenses for them, and no other one.
	PaidLicenses []string `json:"paid_license,omitempty"`

	// Ranges is a folder of published address ranges, as "robots agents verify --cache" keeps them.
	// Forged robots are refused by them.
	Ranges string `json:"ranges,omitempty"`

	// Verify refuses forged robots by the ranges that operators publish and by the DNS, which are
	// asked in the background.
	Verify bool `json:"verify,omitempty"`

	// VerifyFirst answers robots with status 429 until it is known whether they are forged. It goes
	// with Verify, as the next three do.
	VerifyFirst bool `json:"verify_first,omitempty"`

	// DNS is the address of the DNS server to ask, such as 192.0.2.1:53. If it is empty, that of
	// the system is asked.
	DNS string `json:"dns,omitempty"`

	// Signers are further origins with the keys of robots' signatures, such as
	// "GPTBot=https://bot.example".
	Signers []string `json:"signer,omitempty"`

	// Hosts are the names of the site. Signatures that robots made for other hosts are refused. If
	// there are no Hosts, signatures count for the name of Upstream only.
	Hosts []string `json:"host,omitempty"`

	// NATS is the URL of a NATS server with JetStream, by which guards with the same Site share the
	// pace and the identities of robots.
	NATS string `json:"nats,omitempty"`

	// Site is the name of the site for NATS.
	Site string `json:"site,omitempty"`

	// Log is a file to which a JSON line for each request is appended, for "robots audit".
	Log string `json:"log,omitempty"`

	guard   *guard.Guard
	record  func(*guardserver.Record)
	release []func()
}

// CaddyModule returns the name of the module.
func (Handler) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{ID: "http.handlers.robots_guard", New: func() caddy.Module { return new(Handler) }}
}

// Provision reads robots.txt, and opens the log. Handlers with the same source share its policy and
// the pace of robots, so a reload of the configuration forgets neither.
func (h *Handler) Provision(ctx caddy.Context) (err error) {
	if err := h.check(); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			h.Cleanup()
		}
	}()
	if err := figures().Register(ctx.GetMetricsRegistry()); err != nil {
		return err
	}
	h.record = figures().Add
	site, err := use(h, h.siteKey(), openSite)
	if err != nil {
		return err
	}
	if h.Log != "" {
		log, err := use(h, logKey(h.Log), openLog)
		if err != nil {
			return err
		}
		h.record = func(r *guardserver.Record) { figures().Add(r); log.write(r) }
	}
	for _, exposed := range h.exceptions().Exposed() {
		ctx.Logger().Warn(exposed)
	}
	exceptions, _, err := h.exceptions().Read()
	if err != nil {
		return err
	}
	h.guard = &guard.Guard{
		Methods: exceptions.Methods, PassPaths: exceptions.Paths, PassAddresses: exceptions.Addresses,
		PassHeaders: exceptions.Headers,
		Policy:      site.source.Policy, Paces: &site.paces, Identities: site.identities, Client: named,
		Observe: h.Observe, Status: h.Status, NoPace: h.NoPace, Literal: h.Literal, FailClosed: h.FailClosed,
		Preferences: h.Preferences, RobotsTag: h.RobotsTag, PaidLicenses: h.PaidLicenses, IdentifyFirst: h.VerifyFirst,
	}
	return nil
}

// Validate refuses wrong options.
func (h *Handler) Validate() error { return h.check() }

// Cleanup releases what no other handler uses.
func (h *Handler) Cleanup() error {
	for _, release := range h.release {
		release()
	}
	h.release = nil
	return nil
}

// check refuses wrong options.
func (h *Handler) check() error {
	switch {
	case h.Robots == "" && h.Upstream == "":
		return errors.New("robots_guard: name the file with the rules, as { robots FILE }, or the server that serves it, as { upstream URL }")
	case h.Robots != "" && h.Upstream != "":
		return errors.New("robots_guard: robots and upstream exclude each other: the rules come from one of them")
	case h.Status != 0 && (h.Status < 400 || h.Status > 499):
		return fmt.Errorf("robots_guard: the status is %d: name one from 400 to 499", h.Status)
	case h.RobotsTag != "" && !h.Preferences:
		return errors.New("robots_guard: robots_tag goes with preferences")
	case h.identity().NeedsVerify() || h.VerifyFirst && !h.Verify:
		return errors.New("robots_guard: verify_first, dns, signer and host go with verify")
	case (h.NATS == "") != (h.Site == ""):
		return errors.New("robots_guard: nats and site go together")
	}
	if _, option, err := h.exceptions().Read(); err != nil {
		return fmt.Errorf("robots_guard: %s: %w", strings.ReplaceAll(option, "-", "_"), err)
	}
	for _, uri := range h.PaidLicenses {
		if err := guardoptions.CheckLicense(uri); err != nil {
			return fmt.Errorf("robots_guard: paid_license %q: %w", uri, err)
		}
	}
	for _, text := range h.Signers {
		if err := guardoptions.CheckSigner(text); err != nil {
			return fmt.Errorf("robots_guard: signer %q: %w", text, err)
		}
	}
	for _, host := range h.Hosts {
		if err := guardoptions.CheckHost(host); err != nil {
			return fmt.Errorf("robots_guard: host %q: %w", host, err)
		}
	}
	if h.RobotsTag != "" {
		if err := guardoptions.CheckRobotsTag(h.RobotsTag); err != nil {
			return fmt.Errorf("robots_guard: robots_tag %q: %w", h.RobotsTag, err)
		}
	}
	if h.Upstream == "" {
		return nil
	}
	u, err := url.Parse(h.Upstream)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Path != "" || u.RawQuery != "" ||
		u.User != nil {
		return fmt.Errorf("robots_guard: the upstream %q is not an origin: name one such as http://127.0.0.1:8080",
			h.Upstream)
	}
	return nil
}

func (h *Handler) exceptions() *exception.Texts {
	return &exception.Texts{Methods: h.Methods, Paths: h.PassPaths, Addresses: h.PassAddresses, Headers: h.PassHeaders}
}

func (h *Handler) identity() guardoptions.Identity {
	return guardoptions.Identity{Ranges: h.Ranges, Verify: h.Verify, DNS: h.DNS, Signers: h.Signers, Hosts: h.Hosts}
}

// ServeHTTP decides about a request, and answers it or passes it to next.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request, next caddyhttp.Handler) (err error) {
	began := time.Now()
	asked := original(r)
	d := h.guard.Decide(asked)
	guardserver.DropUpgrade(r.Header)
	counted := caddyhttp.NewResponseRecorder(w, nil, nil)
	defer func() {
		status := counted.Status()
		if failed := (caddyhttp.HandlerError{}); errors.As(err, &failed) {
			status = failed.StatusCode // Caddy answers with it later
		}
		h.record(&guardserver.Record{
			Begin: began, Duration: time.Since(began), Request: asked, Client: client(r), Decision: d, Status: status,
			Size: int64(counted.Size()),
		})
	}()
	h.guard.Serve(counted, asked, d, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		err = next.ServeHTTP(w, r)
	}))
	return err
}

// original returns a request with the target that the client sent: directives such as handle_path
// change it.
func original(r *http.Request) *http.Request {
	sent, ok := r.Context().Value(caddyhttp.OriginalRequestCtxKey).(http.Request)
	if !ok || sent.RequestURI == r.RequestURI && sent.Method == r.Method {
		return r
	}
	asked := *r
	asked.Method, asked.RequestURI, asked.URL = sent.Method, sent.RequestURI, sent.URL
	return &asked
}

// client returns the address of the client, as Caddy found it by its options trusted_proxies and
// client_ip_headers.
func client(r *http.Request) netip.Addr {
	text, _ := caddyhttp.GetVar(r.Context(), caddyhttp.ClientIPVarKey).(string)
	address, _ := netip.ParseAddr(text)
	return address.Unmap().WithZone("")
}

// named is client, or the zero address if a trusted proxy does not say who its client is.
func named(r *http.Request) netip.Addr {
	found := client(r)
	trusted, _ := caddyhttp.GetVar(r.Context(), caddyhttp.TrustedProxyVarKey).(bool)
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if trusted && err == nil && peer.Addr().Unmap().WithZone("") == found {
		return netip.Addr{}
	}
	return found
}

var (
	_ caddy.Provisioner           = (*Handler)(nil)
	_ caddy.Validator             = (*Handler)(nil)
	_ caddy.CleanerUpper          = (*Handler)(nil)
	_ caddyhttp.MiddlewareHandler = (*Handler)(nil)
)
