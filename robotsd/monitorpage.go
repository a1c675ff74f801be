package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"

	"github.com/robotsexclusion/robots/internal/pageserver"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
	"github.com/robotsexclusion/robots/server/web"
	"github.com/spf13/cobra"
)

const (
	usualListed = 100     // sites or events of an answer
	maxListed   = 1000    // of them, if the request asks for more
	maxAnswer   = 2 << 20 // bytes of them: strangers write the rules in findings
)

// servePage serves the page of --listen, which shows the watch, until stop is called.
func (w *watcher) servePage(cmd *cobra.Command, m *monitor.Monitor) (stop func(), err error) {
	if !w.page.IsSet() {
		return func() {}, nil
	}
	s, err := pageserver.Start(w.page.Where().String(), pageserver.Config{
		Page:  web.Handler(web.Services{Watch: "v1/"}),
		Hosts: w.page.Hosts(),
		Routes: []pageserver.Route{
			{Path: "/v1/watch", Query: []string{"limit", "site", "lang"},
				Answer: func(_ context.Context, q url.Values) (any, error) { return watchAnswer(m, q) }},
			{Path: "/v1/watch/events", Query: []string{"limit", "site", "lang", "before"},
				Answer: func(_ context.Context, q url.Values) (any, error) { return eventsAnswer(m, q) }},
		},
	})
	if err != nil {
		return nil, fmt.Errorf("cannot serve the page: %w", err)
	}
	w.page.Notice(cmd.ErrOrStderr(), s.URL())
	return s.Close, nil
}

// A watchReport is the answer of /v1/watch. Its sites have their incidents as sentences.
type watchReport struct {
	*monitor.Report
	Sites []watchSite `json:"sites"`
}

type watchSite struct {
	monitor.SiteReport
	Incidents []watchIncident `json:"incidents"`
}

type watchIncident struct {
	monitor.Incident
	Sentence string `json:"sentence"`
}

// A watchEvents is the answer of /v1/watch/events. Its updates have sentences.
type watchEvents struct {
	Events []watchEvent `json:"events"`
	More   bool         `json:"more"` // there are older ones
}

type watchEvent struct {
	monitor.Event
	Updates []watchUpdate `json:"updates"`
}

type watchUpdate struct {
	monitor.Update
	Sentence string `json:"sentence"` // without the step
}

// pageLanguages are those of the sentences.
var pageLanguages = []string{"en", "es", "ko", "ru"}

// readQuery reads the parameters that both routes have.
func readQuery(q url.Values) (limit int, lang string, err error) {
	if limit, err = pageserver.Number(q, "limit", usualListed, maxListed); err != nil {
		return 0, "", err
	}
	lang = q.Get("lang")
	if lang != "" && !slices.Contains(pageLanguages, lang) {
		return 0, "", pageserver.BadParameter("lang is %q: it is one of %q", lang, pageLanguages)
	}
	return limit, lang, nil
}

// watchAnswer answers /v1/watch.
func watchAnswer(m *monitor.Monitor, q url.Values) (any, error) {
	limit, lang, err := readQuery(q)
	if err != nil {
		return nil, err
	}
	r := watchReport{Report: m.Report(limit, q.Get("site")), Sites: []watchSite{}}
	size := 0
	for _, s := range r.Report.Sites {
		told := watchSite{SiteReport: s, Incidents: []watchIncident{}}
		for _, i := range s.Incidents {
			told.Incidents = append(told.Incidents, watchIncident{i, i.Finding.Sentence(lang)})
		}
		if size += sizeOf(told); size > maxAnswer && len(r.Sites) > 0 {
			break
		}
		r.Sites = append(r.Sites, told)
	}
	return r, nil
}

// eventsAnswer answers /v1/watch/events.
func eventsAnswer(m *monitor.Monitor, q url.Values) (any, error) {
	limit, lang, err := readQuery(q)
	if err != nil {
		return nil, err
	}
	events, more := m.Events(q.Get("before"), limit, q.Get("site"))
	answer := watchEvents{Events: []watchEvent{}, More: more}
	size := 0
	for _, e := range events {
		told := watchEvent{Event: e, Updates: []watchUpdate{}}
		for _, u := range e.Updates {
			told.Updates = append(told.Updates, watchUpdate{u, u.Finding.Sentence(lang)})
		}
		if size += sizeOf(told); size > maxAnswer && len(answer.Events) > 0 {
			answer.More = true
			break
		}
		answer.Events = append(answer.Events, told)
	}
	return answer, nil
}

// sizeOf returns the size of a value as JSON, in bytes.
func sizeOf(value any) int {
	data, _ := json.Marshal(value) // it has a JSON form
	return len(data)
}
