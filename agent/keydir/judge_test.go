package keydir_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/agent/botauth"
	"github.com/robotsexclusion/robots/agent/keydir"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestJudge judges requests by fetched keys and by given keys.
func TestJudge(t *testing.T) {
	c, agent := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body := directory(t, 1)
		if err := (&botauth.Signer{Key: private(1)}).SignDirectory(w.Header(), r.Host, body, time.Now()); err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", botauth.DirectoryType)
		w.Write(body)
	})
	host := strings.TrimPrefix(agent.URL, "https://")
	down := &keydir.Client{UserAgent: userAgent, Transport: http.NewFileTransport(http.Dir(t.TempDir()))}
	now := time.Now()
	for _, test := range []struct {
		name      string
		judge     keydir.Judge
		key       byte // 0 is a request without a signature
		at        time.Time
		result    botauth.Result
		undecided bool
		members   string // of the JSON, among others
	}{
		{"fetched", keydir.Judge{Client: c}, 1, now, botauth.Verified, false,
			`"tag":"web-bot-auth","keys":"` + agent.URL + botauth.DirectoryPath + `","host":"` + host +
				`","possessed":true}`},
		{"given", keydir.Judge{Keys: botauth.NewDirectory(public(t, 1)), KeysName: "a&b.json"}, 1, now,
			botauth.Verified, false,
			`"tag":"web-bot-auth","keys":"a&b.json","claims":"` + agent.URL + `"}`},
		{"not given", keydir.Judge{Keys: botauth.NewDirectory(public(t, 2)), KeysName: "keys.json"}, 1, now,
			botauth.Unverifiable, false, `is not in keys.json"`},
		{"not published", keydir.Judge{Client: c}, 2, now, botauth.Unverifiable, false, `"reason":"no-key"`},
		{"unavailable", keydir.Judge{Client: down}, 1, now, botauth.Unverifiable, true, `"tag":"web-bot-auth"}`},
		{"old", keydir.Judge{Client: c}, 1, now.Add(24 * time.Hour), botauth.Forged, false, `"reason":"expired"`},
		{"unsigned", keydir.Judge{Client: c}, 0, now, botauth.Unverifiable, false,
			`"result":"unverifiable","reason":"unsigned"`},
	} {
		req := httptest.NewRequest(http.MethodGet, "/path?a=b", nil)
		req.Host = "www.example.org"
		if test.key != 0 {
			fatal.If(t, (&botauth.Signer{Key: private(test.key), Agent: agent.URL}).Sign(req, now))
		}
		j := test.judge.Request(req, test.at)
		result, undecided := j.Result()
		if result != test.result || (undecided != nil) != test.undecided {
			t.Errorf("%s: got %s, %v, want %s, undecided %t", test.name, result, undecided, test.result, test.undecided)
		}
		if test.undecided && !errors.Is(undecided, keydir.ErrUnavailable) {
			t.Errorf("%s: got the error %v, want one that wraps ErrUnavailable", test.name, undecided)
		}
		var got strings.Builder
		e := json.NewEncoder(&got)
		e.SetEscapeHTML(false)
		fatal.If(t, e.Encode(j))
		if !strings.HasPrefix(got.String(), `{"method":"GET","url":"https://www.example.org/path?a=b","at":`) ||
			!strings.Contains(got.String(), test.members) {
			t.Errorf("%s: got %s, want the members %s", test.name, got.String(), test.members)
		}
		if test.key == 0 && strings.Contains(got.String(), `"tag"`) {
			t.Errorf("%s: a request without a signature has a tag: %s", test.name, got.String())
		}
	}
}
