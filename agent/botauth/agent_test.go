package botauth

import "testing"

func TestAgentDirectory(t *testing.T) {
	const wellKnown = "https://bot.example.com/.well-known/http-message-signatures-directory"
	for _, test := range []struct{ url, typ, want string }{
		{"https://bot.example.com", "directory", wellKnown},
		{"https://bot.example.com/", "directory", wellKnown},
		{"https://bot.example.com:8443", "directory", "https://bot.example.com:8443" + DirectoryPath},
		{wellKnown, "directory", wellKnown},
		{"https://bot.example.com/keys", "directory", "https://bot.example.com/keys"},
		{"https://bot.example.com/?k=1", "directory", "https://bot.example.com/?k=1"},
		{"https://bot.example.com", "jwks_uri", "https://bot.example.com"},
		{"https://bot.example.com/card", "cimd", "https://bot.example.com/card"},
		{"", "", ""},
	} {
		if got := (Agent{URL: test.url, Type: test.typ}).Directory(); got != test.want {
			t.Errorf("%s %s: got %s, want %s", test.typ, test.url, got, test.want)
		}
	}
}

func TestNonces(t *testing.T) {
	n := &Nonces{Max: 3}
	for i, test := range []struct {
		nonce        string
		expires, now int
		want         bool
	}{
		{"a", 100, 0, true},
		{"a", 100, 50, false},
		{"a", 100, 100, false},
		{"a", 300, 101, true}, // forgotten: what it was for has expired
		{"b", 200, 101, true},
		{"c", 400, 101, true},
		{"d", 500, 102, true}, // one too many: that which expires first goes
		{"b", 200, 102, true}, // and this is it
		{"c", 400, 102, false},
		{"d", 500, 102, false},
		{"a", 300, 102, false},
		{"", 600, 401, true},
		{"", 600, 401, false},
	} {
		if got := n.add(test.nonce, "", now.Add(seconds(test.expires)), now.Add(seconds(test.now))); got != test.want {
			t.Errorf("%d: %s at %d: got %t, want %t", i, test.nonce, test.now, got, test.want)
		}
		if len(n.seen) != len(n.expires) || len(n.seen) > 3 {
			t.Fatalf("%d: %d are remembered, %d in order", i, len(n.seen), len(n.expires))
		}
	}
}

func TestVerifyNonces(t *testing.T) {
	v := &Verifier{Keys: published(botURL, botKey), Nonces: new(Nonces)}
	const with = `sig1=("@authority" "signature-agent";key="sig1");TIME;KEY;nonce="AAAA";tag="web-bot-auth"`
	req := botRequest(t)

	// What is not verified is not remembered: others could use it up.
	signAs(t, req, rfcKey, with)
	v.Verify(req, now)
	signAs(t, req, botKey, with)
	signature := req.Header.Get("Signature")
	flip(t, req, 1)
	v.Verify(req, now)
	req.Header.Set("Signature", signature)

	if got := v.Verify(req, now); got.Reason != valid {
		t.Errorf("the first time: got %s", got)
	}
	if got := v.Verify(req, now); got.Reason != replayed || got.Result != Forged {
		t.Errorf("the second time: got %s", got)
	}
	if got := v.Verify(req, now.Add(100*seconds(1))); got.Reason != replayed {
		t.Errorf("in the last moment: got %s", got)
	}
	signAs(t, req, botKey, `sig1=("@authority" "signature-agent";key="sig1");TIME;KEY;nonce="AAAB";tag="web-bot-auth"`)
	if got := v.Verify(req, now); got.Reason != valid {
		t.Errorf("another nonce: got %s", got)
	}
	signAs(t, req, botKey, goodInput)
	if got := v.Verify(req, now); got.Reason != replayed {
		t.Errorf("no nonce: got %s", got)
	}
}

// TestVerifyNoncesOfSenders checks that with Sender a nonce is good again for the same request of
// the same client only, and that signatures without a nonce count.
func TestVerifyNoncesOfSenders(t *testing.T) {
	nonces := new(Nonces)
	req := botRequest(t)
	for i, test := range []struct {
		sender, nonce string
		want          Reason
	}{
		{"192.0.2.1 GET /a", "AAAA", valid},
		{"192.0.2.1 GET /a", "AAAA", valid},
		{"192.0.2.1 GET /b", "AAAA", replayed},
		{"192.0.2.2 GET /a", "AAAA", replayed},
		{"", "AAAA", replayed},
		{"192.0.2.2 GET /a", "AAAB", valid},
		{"192.0.2.1 GET /a", "", valid},
		{"192.0.2.2 GET /b", "", valid},
		{"", "", replayed},
	} {
		input := `sig1=("@authority" "signature-agent";key="sig1");TIME;KEY;tag="web-bot-auth"`
		if test.nonce != "" {
			input += `;nonce="` + test.nonce + `"`
		}
		signAs(t, req, botKey, input)
		v := &Verifier{Keys: published(botURL, botKey), Nonces: nonces, Sender: test.sender}
		if got := v.Verify(req, now); got.Reason != test.want {
			t.Errorf("%d: got %s, want %s", i, got, test.want)
		}
	}
	v := &Verifier{Keys: published(botURL, botKey), Nonces: new(Nonces)}
	signAs(t, req, botKey, `sig1=("@authority" "signature-agent";key="sig1");TIME;KEY;nonce="A";tag="web-bot-auth"`)
	v.Verify(req, now)
	v.Sender = "192.0.2.1 GET /a"
	if got := v.Verify(req, now); got.Reason != replayed {
		t.Errorf("a nonce that nobody in particular sent: got %s", got)
	}
}
