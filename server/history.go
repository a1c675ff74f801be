package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/http/httpfield"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/server/api"
)

// Limits of an answer about a history.
const (
	fewVersions  = 100     // without the parameter limit
	maxVersions  = 1000    // of an answer
	maxPastTexts = 4 << 20 // bytes of all texts of an answer, except for the newest, which may be larger
)

// historyQuery has the parameters of GET /v1/history.
type historyQuery struct {
	Origin string `query:"origin" doc:"the origin, such as https://example.com, or any URL of it" required:"true" maxBytes:"16384"`
	Before string `query:"before" doc:"only versions that were first seen before this time, such as 2026-11-24T04:00:00Z"`
	Limit  string `query:"limit" doc:"at most this number of versions, from 1 to 1000; fewer are answered where their texts are long" default:"100"`
}

// history answers GET /v1/history. It is a function, as Server has many methods.
func history(s *Server, route *boundRoute, w http.ResponseWriter, r *http.Request) error {
	var q historyQuery
	if err := route.read(r, &q.Origin, &q.Before, &q.Limit); err != nil {
		return err
	}
	if err := checkURL("origin", q.Origin); err != nil {
		return err
	}
	var before time.Time
	if q.Before != "" {
		var err error
		if before, err = time.Parse(time.RFC3339, q.Before); err != nil {
			return badParameter.problem("the parameter before is not a time: write it as in 2026-11-24T04:00:00Z")
		}
	}
	limit := fewVersions
	if q.Limit != "" {
		var err error
		if limit, err = strconv.Atoi(q.Limit); err != nil || limit < 1 || limit > maxVersions {
			return badParameter.problem(fmt.Sprintf("the parameter limit is a number from 1 to %d", maxVersions))
		}
	}
	origin, err := fetch.Origin(q.Origin)
	if err != nil {
		return err
	}
	if s.config.History == "" {
		return noHistory.problem("this service keeps no history: its operator starts it with a folder for what it fetches")
	}
	b, err := s.work(r.Context(), func() ([]byte, error) {
		return pastVersions(r.Context(), s.config.History, origin,
			before, limit)
	})
	if err != nil {
		return err
	}
	tag := httpfield.StrongTag(b)
	header := w.Header()
	header["Etag"], header["Cache-Control"] = []string{tag}, []string{"max-age=0"}
	if httpfield.HasTag(r.Header.Values("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	return writeJSON(w, b)
}

// pastVersions returns an api.History in JSON.
func pastVersions(ctx context.Context, dir fetch.Dir, origin string, before time.Time, limit int) ([]byte, error) {
	all, err := dir.History(ctx, origin)
	if err != nil {
		return nil, err
	}
	answer := api.History{Origin: origin, Versions: []api.Version{}, Texts: make(map[string]api.Text)}
	size := 0
	for _, v := range slices.Backward(all) {
		if !before.IsZero() && !v.From.Before(before) {
			continue
		}
		n := len(answer.Versions)
		_, known := answer.Texts[v.SHA256]
		long := n > 0 && v.SHA256 != "" && !known && size+v.Size > maxPastTexts
		if n == limit || long {
			earlier := answer.Versions[n-1].From
			answer.Earlier = &earlier
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if v.SHA256 != "" && !known {
			switch text, err := textOf(v); {
			case err == nil:
				answer.Texts[v.SHA256] = text
				size += v.Size
			case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fetch.ErrCorrupt):
				return nil, err
			}
		}
		answer.Versions = append(answer.Versions, versionAPI(v))
	}
	slices.Reverse(answer.Versions)
	return printable.JSON(append(printable.AppendJSON(nil, answer), '\n')), nil
}

// textOf returns the text that was in force.
func textOf(v fetch.Version) (api.Text, error) {
	p, err := v.Policy()
	if err != nil {
		return api.Text{}, err
	}
	if text := p.String(); utf8.ValidString(text) {
		return api.Text{Text: &text}, nil
	}
	return api.Text{TextBase64: []byte(p.String())}, nil
}

// versionAPI returns a version as answers have it.
func versionAPI(v fetch.Version) api.Version {
	optional := func(t time.Time) *time.Time {
		if t.IsZero() {
			return nil
		}
		t = t.UTC()
		return &t
	}
	return api.Version{
		From: v.From.UTC(), Until: optional(v.Until), Seen: optional(v.Seen), State: string(v.State), Status: v.Status,
		Cause:  v.Cause,
		SHA256: v.SHA256, Size: v.Size, Cut: v.Cut,
	}
}
