package testweb

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// A host is one origin of the web.
type host struct {
	web    *world
	number int32
	kind   *Kind
	text   *Text
	name   string
	origin string // with scheme and port
	addr   netip.Addr
	secure bool
	pages  int32  // of its tree, with the root page: at least one
	first  int64  // number of pages of the hosts before it
	pick   uint64 // pseudo-random

	asked  counter // requests for pages, and for the name of a host that rebinds
	robots counter // requests for robots.txt

	site *Site
}

// populate makes the hosts.
func (w *world) populate() error {
	all := Kinds()
	if w.options.Kinds != nil {
		all = append(all, Mazes()...)
	}
	kinds, err := wheel(w.options.Kinds, all, func(k *Kind) (string, int) { return k.Name, k.Share })
	if err != nil {
		return err
	}
	if !w.options.TLS {
		kinds = slices.DeleteFunc(kinds, func(k *Kind) bool { return k.secure })
	}
	texts, err := wheel(w.options.Texts, Texts(), func(t *Text) (string, int) { return t.Name, t.Share })
	if err != nil {
		return err
	}
	if len(kinds) == 0 || len(texts) == 0 {
		return errors.New("no kind of host is left: those that are named need Options.TLS")
	}
	w.byName = make(map[string]int32)
	w.hosts = make([]host, 0, w.options.Hosts+len(w.options.Sites))
	for i := range w.options.Hosts {
		// The texts advance one step after each round of the kinds, so that each kind
		// gets each text.
		h := host{
			number: int32(i), kind: kinds[i%len(kinds)], text: texts[(i%len(kinds)+i/len(kinds))%len(texts)],
			pick: mix(w.options.Seed, uint64(i)),
		}
		h.secure = h.kind.secure || w.options.TLS && i%3 == 1
		h.name = fmt.Sprintf("h%05d.test", i)
		if i%100 >= 90 {
			h.name = fmt.Sprintf("h%05d.f%03d.test", i, i/100) // ten hosts of one site
		}
		h.addr = w.addresses[h.pick%crowded]
		if i%4 != 0 {
			h.addr = w.addresses[crowded+i%w.options.Addresses]
		}
		if h.kind.deaf {
			h.addr = noListener
		}
		if h.kind.refused {
			h.addr = refusedAddrs[h.pick%uint64(len(refusedAddrs))]
		}
		w.hosts = append(w.hosts, h)
	}
	if w.options.demo {
		w.addDemo()
	}
	for i := range w.options.Sites {
		w.addSite(&w.options.Sites[i])
	}
	for i := range w.hosts {
		h := &w.hosts[i]
		h.web = w
		scheme, port := "http://", w.port
		if h.secure {
			scheme, port = "https://", w.securePort
		}
		h.origin = scheme + h.name + ":" + strconv.Itoa(int(port))
	}
	w.plant()
	return nil
}

// wheel returns the items with these names, or all items in the proportions of their
// shares, with equal ones far apart.
func wheel[T any](names []string, all []T, about func(*T) (name string, share int)) (spokes []*T, err error) {
	byName := make(map[string]*T)
	type spoke struct {
		thing *T
		at    float64
	}
	var list []spoke
	for i := range all {
		name, share := about(&all[i])
		byName[name] = &all[i]
		for n := range share {
			at := (float64(n) + float64(i+1)/float64(len(all)+1)) / float64(share)
			list = append(list, spoke{&all[i], at})
		}
	}
	if names == nil {
		slices.SortStableFunc(list, func(a, b spoke) int { return cmp.Compare(a.at, b.at) })
		for _, s := range list {
			spokes = append(spokes, s.thing)
		}
		return spokes, nil
	}
	for _, name := range names {
		thing := byName[name]
		if thing == nil {
			return nil, fmt.Errorf("%q is the name of no kind or text", name)
		}
		spokes = append(spokes, thing)
	}
	return spokes, nil
}

// plant gives hosts their trees: the first hosts have the most pages, and the n-th has
// those of the first divided by the root of n.
func (w *world) plant() {
	total := 0.0
	rank := 0
	for i := range w.hosts {
		if h := &w.hosts[i]; h.kind.tree {
			rank++
			total += 1 / math.Sqrt(float64(rank))
		}
	}
	first := int64(0)
	rank = 0
	left := w.options.Pages
	for i := range w.hosts {
		h := &w.hosts[i]
		h.first, h.pages = first, 1
		if h.kind.tree {
			rank++
			h.pages = int32(max(1, min(left, int(math.Ceil(float64(w.options.Pages)/math.Sqrt(float64(rank))/total)))))
			left -= int(h.pages)
		}
		if h.kind.calm && !h.secure {
			w.calm = append(w.calm, h.number)
		}
		first += int64(h.pages)
	}
}

// find returns the host with a name, without a port, or nil.
func (w *world) find(name string) *host {
	if i, ok := w.byName[name]; ok {
		return &w.hosts[i]
	}
	digits, ok := strings.CutPrefix(name, "h")
	digits, _, _ = strings.Cut(digits, ".")
	n, err := strconv.ParseUint(digits, 10, 31)
	if !ok || err != nil || n >= uint64(len(w.hosts)) || w.hosts[n].name != name {
		return nil
	}
	return &w.hosts[n]
}

// calmHost returns a host that answers properly, as the target of redirects of
// robots.txt: for small k a host other than h, if there is one.
func (w *world) calmHost(h *host, k int) *host {
	if len(w.calm) == 0 {
		return h
	}
	return &w.hosts[w.calm[(int(h.number)+k)%len(w.calm)]]
}
