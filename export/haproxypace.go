package export

import (
	"fmt"
	"strings"
	"time"
)

// haproxyKey is the group of an expression that is the name of a robot.
const haproxyKey = `([^/;(),+]{1,60})`

// haproxyUnit is the unit of time of the table: 32 bits of it are 13 years.
const haproxyUnit = 100 * time.Millisecond

// haproxyBegin is the time from which HAProxy counts: the first second of 2026, in milliseconds.
const haproxyBegin = int64(1767225600000)

// paces writes the rules of the paces, and returns the section of the table. The table has when the
// next request of a robot is due, so a robot that keeps its pace is never slowed.
func (w *haproxyWriter) paces(q *plan, class string) (section []string, err error) {
	if q == nil {
		return nil, nil
	}
	headers, err := q.paceHeaders(haproxyKey, haproxySyntax.Limit)
	if err != nil {
		return nil, err
	}
	pace, key := w.variable("pace"), w.variable("key")
	robot := "!{ var(" + class + ") -m str p } !{ pathq -m reg '^/(?:robots\\.txt(?:\\?|\\z)|\\.well-known/)' }"
	w.rule("set-var(%s) str(u) if %s", pace, robot)
	if len(headers.Quick) > 0 {
		w.rule("set-var(%s) %s if { var(%s) -m found } { %s -m int 1 }", pace,
			w.table("paceclass", "map_reg", "u", headers.Exact, q.paceClass), pace,
			w.headers("pacenamed", "map_reg_int", headers.Quick, "0"))
	}
	other := "str(n)"
	if len(headers.Other) > 0 {
		other = w.table("paceother", "map_reg", "n", headers.Other, q.paceClass)
	}
	w.rule("set-var(%s) %s if { var(%s) -m str u }", pace, other, pace)
	w.rule("unset-var(%s) if { var(%[1]s) -m str n }", pace)
	var keys strings.Builder
	for _, e := range headers.keys {
		fmt.Fprintf(&keys, "%s \\1\n", mapKey("(?i)"+e))
	}
	keys.WriteString("^(.{1,60}) \\1\n")
	paced := "{ var(" + pace + ") -m found }"
	w.rule("set-var(%s) req.fhdr(user-agent,1),map_regm(%s) if %s", key, w.file("pacekey", keys.String()), paced)
	return w.slow(q), nil
}

// slow writes the rules that count the requests of robots by the variables of their pace and key,
// and returns the section of the table.
func (w *haproxyWriter) slow(q *plan) (section []string) {
	pace, key, now := w.variable("pace"), w.variable("key"), w.variable("now")
	w.rule("set-var(%s) date(0,ms),sub(%d),div(%d) if { var(%s) -m found }", now, haproxyBegin,
		haproxyUnit.Milliseconds(), pace)
	delays, rates := w.counts(q, pace)
	for _, c := range []*haproxyCount{delays, rates} {
		c.check(w, key, now)
	}
	for _, c := range []*haproxyCount{delays, rates} {
		c.count(w, now)
	}
	return []string{
		"backend robots_" + w.site + "_pace",
		"    stick-table type string len 64 size 10k expire 2d store gpt0",
	}
}

// A haproxyCount is the rules for Crawl-delay, or for Request-rate: each has a sticky counter.
type haproxyCount struct {
	name    string
	counter int
	used    bool
}

// counts writes the rules that set the pauses of a request, and how early it may come.
func (w *haproxyWriter) counts(q *plan, pace string) (delays, rates *haproxyCount) {
	delays, rates = &haproxyCount{"delay", 2, false}, &haproxyCount{"rate", 1, false}
	set := func(c *haproxyCount, i int, pause, early time.Duration) {
		units := int64(pause / haproxyUnit)
		if units == 0 && pause > 0 {
			w.notes = append(w.notes,
				fmt.Sprintf("HAProxy counts tenths of a second, so it does not enforce a pause of %v", pause))
		}
		if units > 0 {
			c.used = true
			is := fmt.Sprintf("if { var(%s) -m str %d }", pace, i)
			w.rule("set-var(%s) int(%d) %s", w.variable(c.name), units, is)
			w.rule("set-var(%s) int(%d) %s", w.variable(c.name+"_early"), (early+haproxyUnit-1)/haproxyUnit, is)
		}
	}
	for i, l := range q.limits {
		set(delays, i, l.pause, l.early)
		pause, early := l.rate()
		set(rates, i, pause, early)
	}
	return delays, rates
}

// check writes the rules that answer 429 to a robot that is too early. The table has an entry for
// each robot and each of its records.
func (c *haproxyCount) check(w *haproxyWriter, key, now string) {
	if !c.used {
		return
	}
	due, wait, pause := w.variable(c.name+"_due"), w.variable(c.name+"_wait"), w.variable(c.name)
	paced := "{ var(" + pause + ") -m found }"
	w.rule("track-sc%d var(%s),concat(/%s) table robots_%s_pace if %s", c.counter, key, c.name, w.site, paced)
	w.rule("set-var(%s) sc_get_gpt0(%d) if %s", due, c.counter, paced)
	// HAProxy 2.6 overflows where it subtracts from a number below zero.
	early := w.variable(c.name + "_early")
	w.rule("set-var(%s) var(%s),add(%s) if %s", early, now, early, paced)
	w.rule("set-var(%s) var(%s),sub(%s) if %s", wait, due, early, paced)
	w.rule(`deny deny_status 429 hdr Retry-After "%%[var(%s),add(9),div(10)]" if %s { var(%[1]s) -m int gt 0 }`,
		wait, paced)
}

// count writes the rules that count a request that passes.
func (c *haproxyCount) count(w *haproxyWriter, now string) {
	if !c.used {
		return
	}
	due, pause := w.variable(c.name+"_due"), w.variable(c.name)
	paced := "{ var(" + pause + ") -m found }"
	w.rule("set-var(%s) var(%s) if %s { var(%[1]s),sub(%[2]s) -m int lt 0 }", due, now, paced)
	w.rule("sc-set-gpt0(%d) var(%s),add(%s) if %s", c.counter, due, pause, paced)
}
