package keydir_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots/agent/botauth"
	"github.com/robotsexclusion/robots/agent/keydir"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestConditional renews a directory that its server confirms or replaces, with each validator.
func TestConditional(t *testing.T) {
	then := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		name        string
		tag         string
		modified    time.Time
		size        int // bytes of white space after the directory
		conditional bool
	}{
		{"a tag", `"1"`, time.Time{}, 0, true},
		{"a date", "", then, 0, true},
		{"both", `W/"1"`, then, 0, true},
		{"no validator", "", time.Time{}, 0, false},
		{"a wrong tag", "1", time.Time{}, 0, false},
		{"too large", `"1"`, then, 16 << 10, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			var body []byte
			var tag string
			var modified time.Time
			asked := make(http.Header)
			c, agent := serve(t, func(w http.ResponseWriter, r *http.Request) {
				asked = r.Header.Clone()
				if err := (&botauth.Signer{Key: private(1)}).SignDirectory(w.Header(), r.Host, body,
					time.Now()); err != nil {
					t.Error(err)
				}
				w.Header().Set("Content-Type", botauth.DirectoryType)
				w.Header().Set("Cache-Control", "max-age=600")
				if tag != "" {
					w.Header()["Etag"] = []string{tag}
				}
				http.ServeContent(w, r, "", modified, bytes.NewReader(body))
			})
			body, tag, modified = append(directory(t, 1), strings.Repeat(" ", test.size)...), test.tag, test.modified
			first, err := c.Source(t.Context(), agent)
			fatal.If(t, err)
			if asked.Get("If-None-Match")+asked.Get("If-Modified-Since") != "" {
				t.Errorf("the first request is conditional: %v", asked)
			}
			c.Expire()
			second, err := c.Source(t.Context(), agent)
			fatal.If(t, err)
			since := ""
			if !test.modified.IsZero() {
				since = test.modified.Format(http.TimeFormat)
			}
			if got, want := asked.Get("If-None-Match")+asked.Get("If-Modified-Since"), test.tag+
				since; test.conditional && got != want || !test.conditional && got != "" {
				t.Errorf("the second request has the validators %q, want %q, conditional %t", got, want,
					test.conditional)
			}
			if _, ok := second.Keys.Key(public(t, 1).ID()); !ok || len(second.Possessed) != 1 || second == first ||
				second.Fetched.Before(first.Fetched) || second.Fresh.Sub(second.Fetched) > 10*time.Minute {
				t.Errorf("the confirmed source is %+v", second)
			}

			// The server has another directory.
			body = directory(t, 1, 2)
			if tag != "" {
				tag = strings.Replace(tag, "1", "2", 1)
			}
			if !modified.IsZero() {
				modified = modified.Add(time.Hour)
			}
			c.Expire()
			if _, err := c.Key(t.Context(), agent, public(t, 2).ID()); err != nil {
				t.Errorf("the new key: %v", err)
			}
		})
	}
}

// TestConditionalCard renews a card and the keys that it names, of which one document changes.
func TestConditionalCard(t *testing.T) {
	number, confirmed := byte(1), 0
	var c *keydir.Client
	var origin string
	c, agent := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, tag := directory(t, number), fmt.Sprintf(`"%d"`, number)
		if r.URL.Path == "/card" {
			body, tag = fmt.Appendf(nil, `{"client_id": "%s/card", "client_name": "Example", "jwks_uri": "%s/keys"}`,
				origin, origin), `"card"`
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			confirmed++
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
	})
	origin = agent.URL
	agent = botauth.Agent{URL: origin + "/card", Type: "cimd"}
	for i, want := range []int{0, 2, 1} { // the responses with status 304
		if i == 2 {
			number = 2
		}
		s, err := c.Source(t.Context(), agent)
		fatal.If(t, err)
		if _, ok := s.Keys.Key(public(t, number).ID()); !ok || s.Card == nil || s.Card.Name != "Example" ||
			confirmed != want {
			t.Errorf("fetch %d: got %+v, after %d confirmed responses, want %d", i+1, s, confirmed, want)
		}
		confirmed = 0
		c.Expire()
	}
}

// TestConditionalSignature fetches a directory in full after its signature has expired.
func TestConditionalSignature(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		signed := time.Now()
		var tag string
		s := &transport{handler: func(w http.ResponseWriter, r *http.Request) {
			body := directory(t, 1)
			tag = r.Header.Get("If-None-Match")
			if err := (&botauth.Signer{Key: private(1), Validity: 90 * time.Minute}).SignDirectory(w.Header(), r.Host,
				body, signed); err != nil {
				t.Error(err)
			}
			w.Header().Set("Etag", `"1"`)
			w.Header().Set("Cache-Control", "max-age=3600")
			if tag != "" {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			w.Write(body)
		}}
		c := &keydir.Client{UserAgent: userAgent, Transport: s}
		agent := botauth.Agent{URL: "https://bot.example.com", Type: "directory"}
		for i, want := range []string{"", `"1"`, "", `"1"`} {
			if i == 2 {
				signed = time.Now()
			}
			source, err := c.Source(t.Context(), agent)
			fatal.If(t, err)
			if tag != want || len(source.Possessed) != 1 {
				t.Errorf("fetch %d: the request has the tag %q, want %q, and %d keys have signed the document", i+1,
					tag, want, len(source.Possessed))
			}
			time.Sleep(61 * time.Minute)
		}
	})
}
