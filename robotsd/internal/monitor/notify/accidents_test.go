package notify_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"maps"
	"math/big"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

const named = "Sitemap: http://a.example/sitemap.xml\n"

// An accident is what a site serves for some hours or days. The judge knows of it which incidents
// stand meanwhile, after so many looks.
type accident struct {
	serve   func(w http.ResponseWriter)
	looks   int
	stands  []string
	fails   bool // nothing else is known of the site
	loses   bool // there is no text, so its small changes are not known
	endless bool // it never becomes normal
	silent  bool // there is no answer at all
}

func text(status int, header, body string) func(w http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		if name, value, ok := strings.Cut(header, ": "); ok {
			w.Header().Set(name, value)
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

func silence(http.ResponseWriter) { panic(http.ErrAbortHandler) }

// lost is a site without its text; only a status becomes normal.
func lost(looks int, label string, serve func(w http.ResponseWriter)) accident {
	return accident{serve: serve, looks: looks, stands: []string{label}, loses: true, endless: label == "text"}
}

// changed is a site with another text, in which only an error is never normal.
func changed(body string, labels ...string) accident {
	last := labels[len(labels)-1]
	return accident{serve: text(200, "", body), looks: 1, stands: labels,
		endless: last == "misspelt-field" || last == "pattern-start"}
}

var monthAccidents = map[string]accident{
	"good":     {serve: text(200, "", live+named)},
	"comments": {serve: text(200, "", "# new\r\n"+strings.ReplaceAll(live+named, "\n", "\r\n"))},

	"empty":     lost(2, "text", text(200, "", "")),
	"misspelt":  lost(2, "text", text(200, "", "Useragent: *\nDisalow: /admin/\n")),
	"JSON":      lost(2, "text", text(200, "", "{}")),
	"UTF-16":    lost(1, "text", text(200, "", "\xff\xfeU\x00s\x00e\x00r\x00")),
	"HTML":      lost(2, "text", text(200, "", "<!doctype html><html>")),
	"challenge": lost(2, "text", text(403, "Cf-Mitigated: challenge", "")),
	"too long":  lost(1, "text", text(200, "", strings.Repeat("#"+strings.Repeat("x", 999)+"\n", 520)+live)),

	"404":  lost(2, "status", text(404, "", live)),
	"loop": lost(2, "status", text(302, "Location: /robots.txt", "")),

	"500":         {serve: text(500, "", live), looks: 2, stands: []string{"unreachable"}, fails: true, endless: true},
	"no answer":   {silence, 2, []string{"unreachable"}, true, false, true, true},
	"certificate": {looks: 1, stands: []string{"certificate"}, fails: true, endless: true},

	"staging":    changed(staging+named, "closed-site"),
	"shop":       changed(shop+named, "closed-search"),
	"train":      changed(live+named+"User-agent: GPTBot\nDisallow: /\n", "closed"),
	"lost rule":  changed("User-agent: *\nDisallow:\n"+named, "opened"),
	"no rules":   changed("# under construction\n"+named, "opened"),
	"wrong rule": changed("User-agent: *\nDisalow: /admin/\n"+named, "opened", "misspelt-field"),
	"wrong line": changed(live+named+"Disallow: x/\n", "pattern-start"),
	"moved":      {serve: text(302, "Location: /moved.txt", ""), looks: 1, stands: []string{"redirect"}},
}

// sitemapAccidents are those of the sitemap of a site, which has them beside those of its
// robots.txt.
var sitemapAccidents = map[string]func(w http.ResponseWriter){
	"good":      text(200, "", "<urlset><url><loc>http://a.example/</loc></url></urlset>"),
	"500":       text(500, "", ""),
	"404":       text(404, "", ""),
	"HTML":      text(200, "", "<!doctype html><html>"),
	"empty":     text(200, "", ""),
	"malformed": text(200, "", "<urlset><url><loc>http://a.example/</loc>"),
	"no answer": silence,
}

// A phase is an accident, or none, from a time on.
type phase struct {
	from time.Duration
	what string
}

// phases returns accidents at random: one, or two that follow each other, then a repair. No phase
// is shorter than the eight hours in which nothing comes and goes too often, and none that could
// become normal lasts for a week.
func phases(r *mathrand.Rand, names, sound []string) (all []phase) {
	all = append(all, phase{0, "good"})
	at := time.Duration(1+r.IntN(48)) * time.Hour
	for at < 30*day {
		for range 1 + r.IntN(2) {
			what := names[r.IntN(len(names))]
			most := 60
			if monthAccidents[what].endless && r.IntN(4) == 0 {
				most = 400
			}
			all = append(all, phase{at, what})
			at += time.Duration(480+r.IntN(most*60)) * time.Minute
		}
		all = append(all, phase{at, sound[r.IntN(len(sound))]})
		at += time.Duration(480+r.IntN(100*60)) * time.Minute
	}
	return all
}

func during(all []phase, since time.Duration) string {
	what := ""
	for _, p := range all {
		if p.from <= since {
			what = p.what
		}
	}
	return what
}

// A judge says by plain rules which incidents stand, from what a site serves at each look.
type judge struct {
	seen  map[string]int       // looks in a row that show a label
	first map[string]time.Time // the first of them
	told  map[string]bool      // it stands
	story []string
}

// look judges what a site served.
func (j *judge) look(at time.Time, served accident, sitemap string) {
	shows := make(map[string]int) // the looks that a label needs
	for _, label := range served.stands {
		shows[label] = served.looks
	}
	if !served.fails && !served.loses && sitemap != "good" {
		shows["sitemap"] = 2
	}
	labels := slices.Sorted(maps.Keys(shows))
	for label := range j.seen {
		if _, ok := shows[label]; !ok {
			labels = append(labels, label)
		}
	}
	for _, label := range labels {
		small := slices.Contains([]string{"opened", "misspelt-field", "pattern-start", "redirect", "sitemap"}, label)
		switch looks, shown := shows[label]; {
		case shown:
			if j.seen[label]++; j.seen[label] == 1 {
				j.first[label] = at
			}
			if j.seen[label] >= looks && !j.told[label] {
				j.told[label] = true
				j.story = append(j.story, line(label, "begins", j.first[label]))
			}
		case served.fails && label != "unreachable" && label != "certificate", served.loses && small:
			// nothing is known of it
		case served.silent && label == "certificate":
			// nobody showed one
		default:
			if j.told[label] {
				j.story = append(j.story, line(label, "ends", at))
			}
			delete(j.seen, label)
			delete(j.told, label)
		}
	}
	if len(j.told) > 0 && len(served.stands) == 0 && sitemap == "good" {
		j.story = append(j.story, fmt.Sprint("the judge has incidents of a sound site: ", j.told))
	}
}

func line(label, what string, at time.Time) string {
	return fmt.Sprint(at.UTC().Format("02 15:04:05"), " ", label, " ", what)
}

// labelOf returns the word of the judge for a finding.
func labelOf(f monitor.Finding) string {
	switch f.Kind {
	case monitor.Challenge, monitor.HTML, monitor.UTF16, monitor.Empty, monitor.Unusable, monitor.Cut:
		return "text"
	case monitor.Mistake:
		return f.Subject
	}
	return string(f.Kind)
}

// TestAccidentsOfAMonth has real servers with accidents at random for a month. The incidents that
// begin and end are those of a judge that knows nothing of the watch but when it looked.
func TestAccidentsOfAMonth(t *testing.T) {
	for seed := range corpus.Cases(1, 20) {
		synctest.Test(t, func(t *testing.T) { accidentsOfAMonth(t, uint64(seed)) })
	}
}

func accidentsOfAMonth(t *testing.T, seed uint64) {
	r := mathrand.New(mathrand.NewPCG(seed, 2026))
	start := time.Now()
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(monthAccidents)),
		func(name string) bool { return name == "good" || name == "comments" })
	plain := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "certificate" })
	sitemaps := slices.DeleteFunc(slices.Sorted(maps.Keys(sitemapAccidents)),
		func(name string) bool { return name == "good" })
	sound := []string{"good", "comments"}
	robots, lists, judges := make(map[string][]phase), make(map[string][]phase), make(map[string]*judge)
	got := make(map[string][]string)
	var c monitor.Config
	for i := range corpus.Cases(3, 8) {
		host, url := fmt.Sprintf("%d.example", i), fmt.Sprintf("http://%d.example", i)
		robots[host], lists[host] = phases(r, plain, sound), phases(r, sitemaps, sound[:1])
		if i == 0 {
			url = "https://" + host
			robots[host] = phases(r, append(slices.Repeat([]string{"certificate"}, 6), names...), sound)
		}
		judges[url] = &judge{make(map[string]int), make(map[string]time.Time), make(map[string]bool), nil}
		c.Sites = append(c.Sites, monitor.Site{URL: url, Every: 2 * time.Hour})
	}
	handler := func(w http.ResponseWriter, r *http.Request) {
		since := time.Since(start)
		switch r.URL.Path {
		case "/sitemap.xml":
			sitemapAccidents[during(lists[r.Host], since)](w)
		case "/moved.txt":
			text(200, "", live+strings.ReplaceAll(named, "a.example", r.Host))(w)
		default:
			monthAccidents[during(robots[r.Host], since)].serve(ownHost{w, r.Host})
		}
	}
	open, secret := make(pipeNet), make(pipeNet)
	good, expired, pool := siteCertificates(t, start)
	stopOpen := open.serve(handler)
	defer stopOpen()
	certificate := func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		if during(robots["0.example"], time.Since(start)) == "certificate" {
			return expired, nil
		}
		return good, nil
	}
	server := &http.Server{Handler: http.HandlerFunc(handler), ErrorLog: log.New(io.Discard, "", 0)}
	done := make(chan struct{})
	go func() {
		server.Serve(tls.NewListener(secret, &tls.Config{GetCertificate: certificate}))
		close(done)
	}()
	defer func() { close(secret); <-done; server.Close() }()
	transport := open.transport()
	transport.TLSClientConfig = &tls.Config{RootCAs: pool}
	plainDial, secretDial := transport.DialContext, secret.transport().DialContext
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		if strings.HasSuffix(address, ":443") {
			return secretDial(ctx, network, address)
		}
		return plainDial(ctx, network, address)
	}
	c.Dir, c.Looker = t.TempDir(), &monitor.Looker{Lookup: noAddress, History: new(fetch.Memory), Transport: transport}
	looks := 0
	c.Looked = func(l monitor.Look) {
		looks++
		if l.Err != nil || l.Held {
			t.Errorf("%+v", l)
			return
		}
		host, since := strings.Split(l.Site.URL, "/")[2], l.Observation.Time.Sub(start)
		what := during(robots[host], since)
		judges[l.Site.URL].look(l.Observation.Time, monthAccidents[what], during(lists[host], since))
		for _, u := range l.Updates {
			switch u.Step {
			case monitor.Begun:
				got[l.Site.URL] = append(got[l.Site.URL], line(labelOf(u.Finding), "begins", u.Began))
			case monitor.Ended:
				got[l.Site.URL] = append(got[l.Site.URL], line(labelOf(u.Finding), "ends", l.Observation.Time))
			case monitor.Changed:
			default:
				t.Errorf("seed %d, %s, %s, %s: %s", seed, l.Site.URL, since, what, u.Sentence("en"))
			}
		}
	}
	m, err := monitor.New(c)
	fatal.If(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 30*day)
	defer cancel()
	m.Run(ctx)
	synctest.Wait()
	fatal.If(t, m.Close())
	incidents := 0
	for url, j := range judges {
		slices.Sort(j.story) // the order within a look does not matter
		slices.Sort(got[url])
		incidents += len(j.story)
		if !slices.Equal(got[url], j.story) {
			t.Errorf("seed %d, %s: got\n%s\nthe judge says\n%s\n%v", seed, url, strings.Join(got[url], "\n"),
				strings.Join(j.story, "\n"), robots[strings.Split(url, "/")[2]])
		}
	}
	if n := len(c.Sites); looks < n*360 || incidents < n*8 {
		t.Errorf("%d looks, %d beginnings and ends", looks, incidents)
	}
}

// An ownHost writes the host of the request in place of a.example.
type ownHost struct {
	http.ResponseWriter
	host string
}

func (w ownHost) Write(p []byte) (int, error) {
	_, err := io.WriteString(w.ResponseWriter, strings.ReplaceAll(string(p), "a.example", w.host))
	return len(p), err
}

// siteCertificates returns a certificate for all sites, one that has expired, and who trusts both.
func siteCertificates(t *testing.T, now time.Time) (good, expired *tls.Certificate, pool *x509.CertPool) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	fatal.If(t, err)
	pool = x509.NewCertPool()
	make := func(ends time.Time) *tls.Certificate {
		template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{"0.example"},
			NotBefore: now.Add(-100 * day), NotAfter: ends, IsCA: true, BasicConstraintsValid: true}
		der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
		fatal.If(t, err)
		cert, err := x509.ParseCertificate(der)
		fatal.If(t, err)
		pool.AddCert(cert)
		return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
	}
	return make(now.Add(100 * day)), make(now.Add(-day)), pool
}
