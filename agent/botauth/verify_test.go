package botauth

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/sfv"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// now is the time of the tests.
var now = time.Unix(1735689600, 0)

// botURL is the agent of the tests.
const botURL = "https://bot.example.com"

// botKey is its key.
var botKey = ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))

func botKeyID() string {
	k, err := NewKey(botKey.Public())
	if err != nil {
		panic(err)
	}
	return k.ID()
}

// published returns a function for Verifier.Keys that knows one agent.
func published(agent string, keys ...ed25519.PrivateKey) func(context.Context, Agent, string) (Key, error) {
	var public []Key
	for _, k := range keys {
		p, err := NewKey(k.Public())
		if err != nil {
			panic(err)
		}
		public = append(public, p)
	}
	directory := NewDirectory(public...)
	return func(_ context.Context, a Agent, keyid string) (Key, error) {
		if a.URL != agent {
			return Key{}, fmt.Errorf("agent %q is not known", a.URL)
		}
		k, ok := directory.Key(keyid)
		if !ok {
			return Key{}, errors.New("not in its directory")
		}
		return k, nil
	}
}

// signAs signs a request with what stands in its fields Signature-Agent and
// Signature-Input, which need not be right. In the latter KEY stands for the
// identifier of the key, and TIME for times that are.
func signAs(t testing.TB, req *http.Request, key ed25519.PrivateKey, input string) {
	t.Helper()
	public, err := NewKey(key.Public())
	fatal.If(t, err)
	input = strings.ReplaceAll(input, "KEY", `keyid="`+public.ID()+`"`)
	input = strings.ReplaceAll(input, "TIME", fmt.Sprintf("created=%d;expires=%d", now.Unix()-10, now.Unix()+50))
	req.Header.Set("Signature-Input", input)
	d, err := sfv.ParseDictionary(input)
	if err != nil {
		t.Fatalf("%s: %v", input, err)
	}
	var signatures sfv.Dictionary
	for _, m := range d.Members {
		base, err := newMessage(req, "https").base(m.Item)
		if err != nil {
			base = "" // nobody can sign that
		}
		signature := sfv.Item{Value: ed25519.Sign(key, []byte(base))}
		signatures.Members = append(signatures.Members, sfv.Member{Key: m.Key, Item: signature})
	}
	req.Header.Set("Signature", signatures.String())
}

// botRequest returns a request of the agent of the tests, without signature.
func botRequest(t testing.TB) *http.Request {
	return received(t, `GET /path?x=1 HTTP/1.1
Host: example.com
User-Agent: ExampleBot/1.0
Accept: text/html
Accept: text/plain
Signature-Agent: sig1="https://bot.example.com"
`)
}

const goodInput = `sig1=("@authority" "signature-agent";key="sig1");TIME;KEY;tag="web-bot-auth"`

func TestVerify(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*http.Request) // before it is signed
		input  string
		reason Reason
		agent  string
	}{
		{"as it should be", nil, goodInput, valid, botURL},
		{"with all parameters", nil,
			`sig1=("@authority" "signature-agent";key="sig1");TIME;KEY;alg="ed25519";nonce="AAAA";tag="web-bot-auth"`,
			valid, botURL},
		{"in another order", nil, `sig1=("signature-agent";key="sig1" "@authority");tag="web-bot-auth";KEY;TIME`, valid,
			botURL},
		{"with parameters of other times", nil,
			`sig1=("@authority" "signature-agent";key="sig1");TIME;KEY;tag="web-bot-auth";later=1`, valid, botURL},
		{"with white space", nil,
			`  sig1=(  "@authority"   "signature-agent";  key="sig1"  );  TIME;KEY;   tag="web-bot-auth"  `, valid,
			botURL},
		{"with much covered", nil,
			`sig1=("@method" "@authority" "@scheme" "@target-uri" "@path" "@query" "@query-param";name="x" "accept" "user-agent" "signature-agent";key="sig1");TIME;KEY;tag="web-bot-auth"`, valid, botURL},
		{"with the target URI", nil, `sig1=("@target-uri" "signature-agent";key="sig1");TIME;KEY;tag="web-bot-auth"`,
			valid, botURL},
		{"beside a signature of another kind", nil, `other=("@method");created=1, ` + goodInput, valid, botURL},
		{"the whole field", nil, `sig1=("@authority" "signature-agent");TIME;KEY;tag="web-bot-auth"`, valid, botURL},
		{"another label", nil, `sig2=("@authority" "signature-agent";key="sig1");TIME;KEY;tag="web-bot-auth"`, valid,
			botURL},
		{"of old drafts", agentField(`"https://bot.example.com"`),
			`sig1=("@authority" "signature-agent");TIME;KEY;tag="web-bot-auth"`, valid, botURL},
		{"with a type", agentField(`sig1="https://bot.example.com";type=directory`), goodInput, valid, botURL},
		{"one of two agents", agentField(`sig1="https://bot.example.com", sig2="https://other.example"`), goodInput,
			valid, botURL},
		{"both, by the label", agentField(`sig1="https://bot.example.com", sig2="https://other.example"`),
			`sig1=("@authority" "signature-agent");TIME;KEY;tag="web-bot-auth"`, valid, botURL},
		{"on two lines", func(r *http.Request) {
			r.Header["Signature-Agent"] = []string{`sig2="https://other.example"`, `sig1="https://bot.example.com"`}
		}, goodInput, valid, botURL},

		{"no agent", func(r *http.Request) { r.Header.Del("Signature-Agent") },
			`sig1=("@authority");TIME;KEY;tag="web-bot-auth"`, noKey, ""},
		{"an agent that is not covered", nil, `sig1=("@authority");TIME;KEY;tag="web-bot-auth"`, noKey, ""},
		{"an agent without TLS", agentField(`sig1="http://bot.example.com"`), goodInput, noKey, ""},
		{"an agent that is a user", agentField(`sig1="https://bot.example.com@evil.example/"`), goodInput, noKey, ""},
		{"an agent that is not a URL", agentField(`sig1="https://[bot"`), goodInput, noKey, ""},
		{"an agent that is a token", agentField(`sig1=bot`), goodInput, noKey, ""},
		{"an agent of an unknown type", agentField(`sig1="https://bot.example.com";type=later`), goodInput, noKey, ""},
		{"an agent of a type in quotes", agentField(`sig1="https://bot.example.com";type="directory"`), goodInput,
			noKey, ""},
		{"an agent that nobody knows", agentField(`sig1="https://other.example"`), goodInput, noKey,
			"https://other.example"},
		{"an agent that is missing", agentField(`sig2="https://bot.example.com"`), goodInput, unresolvable, ""},
		{"an agent of old drafts, by a key", agentField(`"https://bot.example.com"`), goodInput, unresolvable, ""},
		{"several agents, none by the label", agentField(`a="https://bot.example.com", b="https://other.example"`),
			`sig1=("@authority" "signature-agent");TIME;KEY;tag="web-bot-auth"`, malformed, ""},
		{"agents that cannot be read", agentField(`sig1="https://bot.example.com`), goodInput, malformed, ""},
		{"agents that stand twice", agentField(`sig1="https://bot.example.com", sig1="https://other.example"`),
			goodInput, malformed, ""},

		{"no tag", nil, `sig1=("@authority");TIME;KEY`, Unsigned, ""},
		{"another tag", nil, `sig1=("@authority");TIME;KEY;tag="other"`, Unsigned, ""},
		{"a tag that is not a string", nil, `sig1=("@authority");TIME;KEY;tag=web-bot-auth`, Unsigned, ""},
		{"no list", nil, `sig1="@authority";TIME;KEY;tag="web-bot-auth"`, Unsigned, ""},
		{"nothing covered", nil, `sig1=();TIME;KEY;tag="web-bot-auth"`, incomplete, ""},
		{"only the path", nil, `sig1=("@path");TIME;KEY;tag="web-bot-auth"`, incomplete, ""},
		{"the authority with a parameter", nil, `sig1=("@authority";key="a");TIME;KEY;tag="web-bot-auth"`, incomplete,
			""},
		{"no creation", nil, `sig1=("@authority");expires=1735689650;KEY;tag="web-bot-auth"`, incomplete, ""},
		{"no expiry", nil, `sig1=("@authority");created=1735689600;KEY;tag="web-bot-auth"`, incomplete, ""},
		{"no key", nil, `sig1=("@authority");TIME;tag="web-bot-auth"`, incomplete, ""},
		{"a time that is text", nil,
			`sig1=("@authority");created="1735689600";expires=1735689650;KEY;tag="web-bot-auth"`, malformed, ""},
		{"a time that is a decimal", nil,
			`sig1=("@authority");created=1735689600.5;expires=1735689650;KEY;tag="web-bot-auth"`, malformed, ""},
		{"a time before 1970", nil, `sig1=("@authority");created=-1;expires=1735689650;KEY;tag="web-bot-auth"`,
			malformed, ""},
		{"a time after 9999", nil,
			`sig1=("@authority");created=1735689600;expires=999999999999999;KEY;tag="web-bot-auth"`, malformed, ""},
		{"a key that is a token", nil, `sig1=("@authority");TIME;keyid=abc;tag="web-bot-auth"`, malformed, ""},
		{"a nonce that is a byte sequence", nil, `sig1=("@authority");TIME;KEY;nonce=:AAAA:;tag="web-bot-auth"`,
			malformed, ""},
		{"two creations", nil, `sig1=("@authority");created=1;TIME;KEY;tag="web-bot-auth"`, malformed, ""},
		{"two of a label", nil, goodInput + ", " + goodInput, malformed, ""},
		{"covered twice", nil, `sig1=("@authority" "@authority");TIME;KEY;tag="web-bot-auth"`, unresolvable, ""},
		{"a field that is missing", nil, `sig1=("@authority" "content-digest");TIME;KEY;tag="web-bot-auth"`,
			unresolvable, ""},
		{"a field in capitals", nil, `sig1=("@authority" "User-Agent");TIME;KEY;tag="web-bot-auth"`, unresolvable, ""},
		{"of a response", nil, `sig1=("@authority" "@status");TIME;KEY;tag="web-bot-auth"`, unresolvable, ""},
		{"of a trailer", nil, `sig1=("@authority" "accept";tr);TIME;KEY;tag="web-bot-auth"`, unsupported, ""},
		{"of a later document", nil, `sig1=("@authority" "@later");TIME;KEY;tag="web-bot-auth"`, unsupported, ""},
		{"a shared secret", nil, `sig1=("@authority");TIME;KEY;alg="hmac-sha256";tag="web-bot-auth"`, unsupported, ""},
		{"an unknown algorithm", nil, `sig1=("@authority");TIME;KEY;alg="ED25519";tag="web-bot-auth"`, unsupported, ""},
		{"the algorithm of another key", nil,
			`sig1=("@authority" "signature-agent";key="sig1");TIME;KEY;alg="rsa-pss-sha512";tag="web-bot-auth"`,
			badSignature, botURL},
		{"another identifier", nil, `sig1=("@authority" "signature-agent";key="sig1");TIME;keyid="` + rfcThumbprint +
			`";tag="web-bot-auth"`, noKey, botURL},
	} {
		t.Run(strings.ReplaceAll(test.name, " ", "-"), func(t *testing.T) {
			req := botRequest(t)
			if test.change != nil {
				test.change(req)
			}
			signAs(t, req, botKey, test.input)
			v := &Verifier{Scheme: "https", Keys: published(botURL, botKey)}
			got := v.Verify(req, now)
			if got.Reason != test.reason || got.Result != test.reason.result() || got.Agent.URL != test.agent {
				t.Errorf("got %s: %s, agent %q, want %s, %q", got.Reason, got, got.Agent.URL, test.reason, test.agent)
			}
			if _, err := json.Marshal(got); err != nil {
				t.Error(err)
			}
			if (got.Err == nil) != (got.Result == Verified) {
				t.Errorf("got %s with the error %v", got.Result, got.Err)
			}
		})
	}
}

// agentField returns a change of the field Signature-Agent.
func agentField(value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set("Signature-Agent", value) }
}

func TestVerifyTime(t *testing.T) {
	at := func(created, expires time.Duration) string {
		return fmt.Sprintf(`sig1=("@authority" "signature-agent";key="sig1");created=%d;expires=%d;KEY;tag="web-bot-auth"`, now.Add(created).Unix(), now.Add(expires).Unix())
	}
	for _, test := range []struct {
		created, expires, skew, validity time.Duration
		want                             Reason
	}{
		{-10 * time.Second, 50 * time.Second, 0, 0, valid},
		{time.Minute, 2 * time.Minute, 0, 0, valid},
		{61 * time.Second, 2 * time.Minute, 0, 0, notYet},
		{61 * time.Second, 2 * time.Minute, 2 * time.Minute, 0, valid},
		{time.Second, 2 * time.Minute, -1, 0, notYet},
		{-time.Hour, -time.Minute, 0, 0, valid},
		{-time.Hour, -61 * time.Second, 0, 0, expired},
		{-time.Hour, -61 * time.Second, 2 * time.Minute, 0, valid},
		{0, 0, 0, 0, malformed},
		{0, -time.Second, 0, 0, malformed},
		{0, 24 * time.Hour, 0, 0, valid},
		{0, 24*time.Hour + time.Second, 0, 0, tooLong},
		{0, 100 * 365 * 24 * time.Hour, 0, 0, tooLong},
		{0, 100 * 365 * 24 * time.Hour, 0, 101 * 365 * 24 * time.Hour, valid},
		{0, 61 * time.Second, 0, time.Minute, tooLong},
	} {
		req := botRequest(t)
		signAs(t, req, botKey, at(test.created, test.expires))
		v := &Verifier{Keys: published(botURL, botKey), Skew: test.skew, MaxValidity: test.validity}
		if got := v.Verify(req, now); got.Reason != test.want {
			t.Errorf("from %s to %s: got %s, want %s", test.created, test.expires, got, test.want)
		}
	}
	for covered, want := range map[string]Reason{
		`"@authority"`: tooLong, `"@authority" "@method" "@query"`: tooLong, `"@authority" "@path";key="a"`: tooLong,
		`"@authority" "@query-param";name="x"`: tooLong,
		`"@authority" "@path"`:                 valid, `"@target-uri"`: valid, `"@authority" "@request-target"`: valid,
	} {
		req := botRequest(t)
		v := &Verifier{Keys: published(botURL, botKey), Scheme: "https", MaxValidityAnyPath: time.Minute}
		for expires, want := range map[time.Duration]Reason{61 * time.Second: want, time.Minute: valid} {
			signAs(t, req, botKey, strings.Replace(at(0, expires), `"@authority"`, covered, 1))
			if got := v.Verify(req, now); got.Reason != want && got.Reason != unresolvable {
				t.Errorf("%s for %s: got %s, want %s", covered, expires, got, want)
			}
		}
	}
	// The latest time there is, and times that are far apart.
	req := botRequest(t)
	signAs(t, req, botKey, `sig1=("@authority");created=0;expires=253402300799;KEY;tag="web-bot-auth"`)
	got := new(Verifier).Verify(req, now)
	if _, err := json.Marshal(got); err != nil || got.Reason != tooLong {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestVerifyOptions(t *testing.T) {
	req := botRequest(t)
	signAs(t, req, botKey, goodInput)
	keys := published(botURL, botKey)
	for name, test := range map[string]struct {
		v    *Verifier
		want Reason
	}{
		"the zero verifier":   {new(Verifier), noKey},
		"a key":               {&Verifier{Keys: keys}, valid},
		"this host":           {&Verifier{Keys: keys, Authorities: []string{"example.org", "Example.com"}}, valid},
		"another host":        {&Verifier{Keys: keys, Authorities: []string{"example.org"}}, elsewhere},
		"what is covered":     {&Verifier{Keys: keys, Cover: []string{"@authority"}}, valid},
		"what is not covered": {&Verifier{Keys: keys, Cover: []string{"@authority", "@path"}}, incomplete},
		"a key of another's":  {&Verifier{Keys: published("https://other.example", botKey)}, noKey},
		"another key":         {&Verifier{Keys: published(botURL, rfcKey)}, noKey},
		"the zero key, no error": {&Verifier{Keys: func(context.Context, Agent, string) (Key, error) {
			return Key{},
				nil
		}}, noKey},
		"another key, no error": {&Verifier{Keys: func(ctx context.Context, a Agent, _ string) (Key, error) {
			return published(botURL, rfcKey)(ctx, a, rfcThumbprint)
		}}, noKey},
		"a key that is too early": {&Verifier{Keys: timed(now.Add(61*time.Second), time.Time{})}, badKey},
		"a key that is too late":  {&Verifier{Keys: timed(time.Time{}, now.Add(-61*time.Second))}, badKey},
		"a key in its time":       {&Verifier{Keys: timed(now.Add(time.Minute), now.Add(-time.Minute))}, valid},
	} {
		if got := test.v.Verify(req, now); got.Reason != test.want {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
	}

	// A signature of the whole target is for the host in it, if the target has one.
	elsewhereToo := received(t, "GET https://example.com/path HTTP/1.1\nHost: example.com\n"+
		"Signature-Agent: sig1=\"https://bot.example.com\"\n")
	signAs(t, elsewhereToo, botKey, strings.Replace(goodInput, "@authority", "@target-uri", 1))
	for _, target := range []string{"https://example.com/path", "https://example.org@example.com/path",
		"https://example.com?/example.org"} {
		elsewhereToo.RequestURI, elsewhereToo.Host = target, "example.org"
		v := &Verifier{Keys: keys, Scheme: "https", Authorities: []string{"example.org"}}
		if got := v.Verify(elsewhereToo, now); got.Reason != elsewhere {
			t.Errorf("%s, which a proxy passed on with another host: got %s", target, got)
		}
	}

	// The error of Keys can be found.
	failed := errors.New("no network")
	v := &Verifier{Keys: func(context.Context, Agent, string) (Key, error) { return Key{}, failed }}
	if got := v.Verify(req, now); !errors.Is(got.Err, failed) {
		t.Errorf("got %v, want %v in it", got.Err, failed)
	}

	// The keys of the RFC are everybody's.
	signAs(t, req, rfcKey, goodInput)
	v = &Verifier{Keys: published(botURL, rfcKey)}
	if got := v.Verify(req, now); got.Reason != badKey {
		t.Errorf("the key of the RFC: got %s", got)
	}
	v.AllowTestKeys = true
	if got := v.Verify(req, now); got.Reason != valid {
		t.Errorf("the key of the RFC, allowed: got %s", got)
	}
}

// timed returns a function for Verifier.Keys with the key of the tests, valid
// for a time.
func timed(from, to time.Time) func(context.Context, Agent, string) (Key, error) {
	return func(ctx context.Context, a Agent, keyid string) (Key, error) {
		k, err := published(botURL, botKey)(ctx, a, keyid)
		k.notBefore, k.notAfter = from, to
		return k, err
	}
}

// Keys is asked last, as it may be dear, and only for what the signature covers.
func TestVerifyAsksLast(t *testing.T) {
	var asked []string
	v := &Verifier{Keys: func(_ context.Context, a Agent, keyid string) (Key, error) {
		asked = append(asked, a.URL+" "+keyid)
		return Key{}, errors.New("no")
	}}
	for _, input := range []string{
		`sig1=("@path" "signature-agent";key="sig1");TIME;KEY;tag="web-bot-auth"`,
		`sig1=("@authority" "signature-agent";key="sig1");created=1;expires=2;KEY;tag="web-bot-auth"`,
		`sig1=("@authority" "signature-agent";key="sig1" "x");TIME;KEY;tag="web-bot-auth"`,
	} {
		req := botRequest(t)
		signAs(t, req, botKey, input)
		v.Verify(req, now)
	}
	if len(asked) > 0 {
		t.Errorf("asked for %q", asked)
	}
	req := botRequest(t)
	signAs(t, req, botKey, `sig1=("@authority");TIME;KEY;tag="web-bot-auth"`)
	v.Verify(req, now)
	signAs(t, req, botKey, goodInput)
	v.Verify(req, now)
	if want := []string{" " + botKeyID(), botURL + " " + botKeyID()}; !slices.Equal(asked, want) {
		t.Errorf("asked for %q, want %q", asked, want)
	}
}

// Each signature is judged for itself; one that is verified counts.
func TestVerifyAll(t *testing.T) {
	other := ed25519.NewKeyFromSeed([]byte(strings.Repeat("x", ed25519.SeedSize)))
	req := botRequest(t)
	req.Header.Set("Signature-Agent", `sig1="https://bot.example.com", proxy="https://proxy.example"`)
	signAs(t, req, other, `proxy=("@authority" "signature-agent";key="proxy");TIME;KEY;tag="web-bot-auth"`)
	inputs, signatures := req.Header.Get("Signature-Input"), req.Header.Get("Signature")
	signAs(t, req, botKey, goodInput)
	req.Header.Set("Signature-Input", inputs+", "+req.Header.Get("Signature-Input"))
	req.Header.Set("Signature", signatures+", "+req.Header.Get("Signature"))

	for _, test := range []struct {
		keys func(context.Context, Agent, string) (Key, error)
		all  []Reason
		best string
	}{
		{published("https://proxy.example", other), []Reason{valid, noKey}, "proxy"},
		{published(botURL, botKey), []Reason{noKey, valid}, "sig1"},
		{nil, []Reason{noKey, noKey}, "proxy"},
	} {
		v := &Verifier{Keys: test.keys}
		var reasons []Reason
		for _, verdict := range v.VerifyAll(req, now) {
			reasons = append(reasons, verdict.Reason)
		}
		if best := v.Verify(req, now); !slices.Equal(reasons, test.all) || best.Label != test.best {
			t.Errorf("got %v, of which %s counts, want %v, %s", reasons, best.Label, test.all, test.best)
		}
	}

	var many []string
	for i := range 100 {
		many = append(many, fmt.Sprintf(`s%d=("@authority");TIME;KEY;tag="web-bot-auth"`, i))
	}
	signAs(t, req, botKey, strings.Join(many, ", "))
	asked := 0
	v := &Verifier{Keys: func(context.Context, Agent, string) (Key, error) { asked++; return Key{}, errors.New("no") }}
	all := v.VerifyAll(req, now)
	if len(all) != maxSignatures+1 || all[maxSignatures].Reason != unsupported || asked != maxSignatures {
		t.Errorf("got %d verdicts with %d questions", len(all), asked)
	}
}

// Requests without a signature, or with one of another kind, are nobody's
// forgeries, however their fields look.
func TestVerifyUnsigned(t *testing.T) {
	for _, fields := range []string{
		"",
		"Signature: keyId=\"https://social.example/actor#main-key\",algorithm=\"rsa-sha256\",headers=\"(request-target) host date\",signature=\"AAAA\"\n",
		"Signature: sig1=:AAAA:\n",
		"Signature-Input: \n",
		"Signature-Input: (\n",
		"Signature-Input: a=1\n",
		"Signature-Input: a=(\"@method\");tag=\"other\"\nSignature: !\n",
		"Signature-Agent: !\n",
	} {
		req := received(t, "GET / HTTP/1.1\nHost: example.com\n"+fields)
		if got := new(Verifier).Verify(req, now); got.Reason != Unsigned || got.Result != Unverifiable {
			t.Errorf("%q: got %s, want unsigned", fields, got)
		}
	}
	// But these say that they are ours.
	for fields, want := range map[string]Reason{
		"Signature-Input: sig1=(\"@authority\";tag=\"web-bot-auth\"\nSignature: sig1=:AAAA:\n": malformed,
		"Signature-Input: sig1=(\"@authority\");tag=\"web-bot-auth\";keyid=\"" + strings.Repeat("x", sfv.MaxField) +
			"\"\nSignature: sig1=:AAAA:\n": unsupported,
		"Signature-Input: sig1=(\"@authority\");tag=\"web-bot-auth\"\nSignature: sig1=:" +
			strings.Repeat("A", sfv.MaxField) + ":\n": unsupported,
		"Signature-Input: sig1=(\"@authority\");tag=\"web-bot-auth\"\nSignature: !\n":                                                                                                                                               malformed,
		"Signature-Input: sig1=(\"@authority\");created=1735689600;expires=1735689660;keyid=\"x\";tag=\"web-bot-auth\"\nSignature: sig2=:AAAA:\n":                                                                                   malformed,
		"Signature-Input: sig1=(\"@authority\" \"signature-agent\");created=1735689600;expires=1735689660;keyid=\"x\";tag=\"web-bot-auth\"\nSignature: sig1=:AAAA:\nSignature-Agent: " + strings.Repeat("a", sfv.MaxField) + ",b\n": unsupported,
	} {
		req := received(t, "GET / HTTP/1.1\nHost: example.com\n"+fields)
		if got := new(Verifier).Verify(req, now); got.Reason != want {
			t.Errorf("%.100q: got %.100s, want %s", fields, got, want)
		}
	}
}

// A key of RSA whose private part nobody has any more, and what it signed: the
// request of the tests, without and with the name of the algorithm.
const (
	rsaKey        = `{"e":"AQAB","kty":"RSA","n":"wcEXHkWJCVJxjfrCRyGdwxyciJUWtJbU0Bk8HIp5ykEcyZ3v_AZanRbysXeRFBrCdglJdTB5-iBvVgDokd82BCISTkGKXE6111yzf-Y1bxbNJsftHSYSvJI8I4cQF1wcqKNS_zddBLPaxZah_sO63bykebKem4EyPbhQII8YS2_DY1eEzWwuHd-_HOBCpRFFJeCfpI4ONUm91_6Ud5fgmEFHONA3wpVrSgOLeuvgkmMzvWp9qg8vKc7RaVL9ohEckzQJ0_Jp_JwhjZT16ApKOvqXIHTlTQaENOwfPs6uMZEDOUoV0qdMlmOIMNbmI-d996tBBFHxyhjFSyTSAFZ7gQ"}`
	rsaKeyID      = "sAYrAyiNu0VsYDD0z5ZIVb5lNS8fgEJnDfikr_vzwo8"
	rsaSignature  = "q3KwvyuuTRl2hLsAfzTnhByJby0BCs89EArVxyr/KeBqMhQIqIxTKsDkh6KTPec23OV5TMXeWPR9r45F89mYcvvTqHU7iEHoE8KpxN7IyjFqVWaAVFKWlJa/IWqcJrRNcwdODq5CDvCSIemEKV763J9HkoEOMmyvoIFuhoFMEt1hWVQ6F4x79v2TQ9itiE9nh69JgZjgugrtTFgCptw8z6EK8X2Hd2d0maIHs63mUjMnYf5WUp6HG63vP0jh/fi3XDitHb0jdkphZ2y9C9VpveRHCqOacoqavcLd9Y+z6dykiyta0L0s/lMo8jKit3NIkQhsMxYlRupV+gt2KzXaPQ=="
	rsaSignature2 = "lM3sQdYvAf/npo5enA8k83eIs7ao7Q7toRDFe+fW4zI/CDCx8dwO3eQnKSfB7Mqxwgo7qpt6N4cxko5OCCscL01SVr4hE53AmB/YwnHx/pU0hBY38SH7x19wppZPQqNe6Vmcx/fdtCSmEc4zQQfVIzUxMf0hz4c42vkC5Rhv7TfKDy5xxSeDKJpiNN0undDbABgtWI6iIF7j45a38Ly7AMoLNRF/aR9a9kDNEgkONtI77ACWxf+ewzpPRq3Yf2XZpSaO630S/lGtsuZelGvYOIjxdOJWBwZBVhfnH8LY4K2/xuHqYOEJ9CodOnmNn+nzGXOORe6AGYZ9Jo0oBhy1wg=="
)

func TestVerifyRSA(t *testing.T) {
	key, err := ParseKey([]byte(rsaKey))
	fatal.If(t, err)
	v := &Verifier{Scheme: "https", Keys: func(context.Context, Agent, string) (Key, error) { return key, nil }}
	for _, test := range []struct {
		alg, signature string
		want           Reason
	}{
		{"", rsaSignature, valid},
		{`;alg="rsa-pss-sha512"`, rsaSignature2, valid},
		{`;alg="rsa-pss-sha512"`, rsaSignature, badSignature},
		{`;alg="ed25519"`, rsaSignature, badSignature},
		{`;alg="rsa-v1_5-sha256"`, rsaSignature, unsupported},
	} {
		req := botRequest(t)
		signAs(t, req, botKey, strings.Replace(goodInput, "KEY", `keyid="`+rsaKeyID+`"`+test.alg, 1))
		if got := v.Verify(req, now); got.Result == Verified {
			t.Errorf("%s, signed with another key: got %s", test.alg, got)
		}
		req.Header.Set("Signature", "sig1=:"+test.signature+":")
		if got := v.Verify(req, now); got.Reason != test.want {
			t.Errorf("%s: got %s, want %s", test.alg, got, test.want)
		}
		flip(t, req, 100)
		if got := v.Verify(req, now); got.Result == Verified {
			t.Errorf("%s, changed: got %s", test.alg, got)
		}
	}
}

func TestVerdictText(t *testing.T) {
	req := botRequest(t)
	signAs(t, req, botKey, strings.Replace(goodInput, "KEY", `KEY;nonce="AAAA"`, 1))
	v := &Verifier{Keys: published(botURL, botKey)}
	got := v.Verify(req, now)
	if got, want := got.String(), `verified: signed by key `+botKeyID()+
		` of https://bot.example.com, covers "@authority" "signature-agent";key="sig1"`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	data, err := json.Marshal(got)
	want := `{"result":"verified","reason":"valid","why":"signed by key ` + botKeyID() +
		` of https://bot.example.com, covers \"@authority\" \"signature-agent\";key=\"sig1\"",` +
		`"label":"sig1","keyid":"` + botKeyID() +
		`","agent":{"label":"sig1","url":"https://bot.example.com","type":"directory"},` +
		`"covered":["\"@authority\"","\"signature-agent\";key=\"sig1\""],"created":"2024-12-31T23:59:50Z","expires":"2025-01-01T00:00:50Z","nonce":"AAAA"}`
	if err != nil || string(data) != want {
		t.Errorf("got  %s, %v\nwant %s", data, err, want)
	}
	got = v.Verify(botRequest(t), now)
	data, err = json.Marshal(got)
	if want := `{"result":"unverifiable","reason":"unsigned","why":"the request has no signature with tag=\"web-bot-auth\""}`; err != nil || string(data) != want {
		t.Errorf("got  %s, %v\nwant %s", data, err, want)
	}
	for _, test := range []struct {
		result  Result
		reasons []Reason
	}{
		{"verified", []Reason{"valid"}},
		{"unverifiable", []Reason{"unsigned", "too-long", "unsupported", "no-key", "", "later"}},
		{"forged", []Reason{"malformed", "incomplete", "not-yet", "expired", "elsewhere", "unresolvable", "bad-key",
			"bad-signature", "replayed"}},
	} {
		for _, r := range test.reasons {
			if got := r.result(); got != test.result {
				t.Errorf("%q is %s, want %s", r, got, test.result)
			}
		}
	}
}

// TestVectorsOfDraft verifies the test vectors of draft-meunier-webbotauth-httpsig-protocol for
// Ed25519: with a member of Signature-Agent, and with the string of old drafts.
func TestVectorsOfDraft(t *testing.T) {
	for _, test := range []struct{ agent, components, label, expires, nonce, signature string }{
		{
			`agent2="https://signature-agent.test"`, `"@authority" "signature-agent";key="agent2"`, "agent2",
			"4889289600",
			"n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==",
			"RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg==",
		},
		{
			`"https://signature-agent.test"`, `"@authority" "signature-agent"`, "", "1735693200",
			"e8N7S2MFd/qrd6T2R3tdfAuuANngKI7LFtKYI/vowzk4lAZYadIX6wW25MwG7DCT9RUKAJ0qVkU0mEeLElW1qg==",
			"jdq0SqOwHdyHr9+r5jw3iYZH6aNGKijYp/EstF4RQTQdi5N5YYKrD+mCT1HA1nZDsi6nJKuHxUi/5Syp3rLWBA==",
		},
	} {
		req := received(t, "GET /path/to/resource HTTP/1.1\nHost: example.com\nSignature-Agent: "+test.agent+
			"\nSignature-Input: sig2=("+test.components+
			");created=1735689600;keyid=\""+rfcThumbprint+"\";alg=\"ed25519\";expires="+test.expires+";nonce=\""+
			test.nonce+"\";tag=\"web-bot-auth\"\nSignature: sig2=:"+test.signature+":\n")
		v := &Verifier{Keys: published("https://signature-agent.test", rfcKey), MaxValidity: 101 * 365 * 24 * time.Hour}
		at := time.Unix(1735689600, 0)
		if got := v.Verify(req, at); got.Reason != badKey {
			t.Errorf("with the key of the RFC: got %s", got)
		}
		v.AllowTestKeys = true
		got := v.Verify(req, at)
		if want := (Agent{Label: test.label, URL: "https://signature-agent.test",
			Type: "directory"}); got.Result != Verified || got.Agent != want {
			t.Errorf("got %s of %+v", got, got.Agent)
		}
		req.Host = "example.org"
		if got := v.Verify(req, at); got.Reason != badSignature {
			t.Errorf("for another host: got %s", got)
		}
	}
}

func BenchmarkVerify(b *testing.B) {
	req := botRequest(b)
	signAs(b, req, botKey, goodInput)
	v := &Verifier{Keys: published(botURL, botKey)}
	for b.Loop() {
		if got := v.Verify(req, now); got.Result != Verified {
			b.Fatal(got)
		}
	}
}

// FuzzVerify looks for a panic, and for fields that pass for a signature which
// nobody made.
func FuzzVerify(f *testing.F) {
	req := botRequest(f)
	signAs(f, req, botKey, goodInput)
	good := req.Header.Get("Signature")
	f.Add(req.Header.Get("Signature-Input"), good, req.Header.Get("Signature-Agent"), "/path?x=1")
	f.Add(`sig1=("@query-param";name="a" "@target-uri");created=1735689600;expires=1735689601;keyid="x";tag="web-bot-auth"`, "sig1=:AAAA:", `"https://a.example"`, "/?a=%zz&a")
	f.Fuzz(func(t *testing.T, input, signature, agent, target string) {
		if signature == good && input == req.Header.Get("Signature-Input") {
			return
		}
		r := botRequest(t)
		r.RequestURI = target
		r.Header.Set("Signature-Input", input)
		r.Header.Set("Signature", signature)
		r.Header.Set("Signature-Agent", agent)
		v := &Verifier{Keys: published(botURL, botKey)}
		for _, got := range v.VerifyAll(r, now) {
			d, err := sfv.ParseDictionary(signature)
			if got.Result == Verified && (err != nil ||
				!strings.Contains(d.String(), strings.TrimPrefix(good, "sig1"))) {
				t.Fatalf("got %s for a signature that nobody made", got)
			}
			if _, err := json.Marshal(got); err != nil {
				t.Fatal(err)
			}
		}
	})
}
