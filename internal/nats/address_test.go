package nats

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	client "github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// put writes a file.
func put(t *testing.T, dir, name, text string) (file string) {
	t.Helper()
	file = filepath.Join(dir, name)
	fatal.If(t, os.MkdirAll(filepath.Dir(file), 0o700))
	fatal.If(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

// seed writes the seed of a new user, and returns the file and the public key.
func seed(t *testing.T, dir string) (file, public string) {
	t.Helper()
	key, err := nkeys.CreateUser()
	fatal.If(t, err)
	text, err := key.Seed()
	fatal.If(t, err)
	public, err = key.PublicKey()
	fatal.If(t, err)
	return put(t, dir, public[:8]+".nk", string(text)+"\n"), public
}

// try connects once.
func try(t *testing.T, address string, options ...client.Option) (*Conn, error) {
	t.Helper()
	conn, err := Connect(address, "robots test", append(options, client.RetryOnFailedConnect(false),
		client.Timeout(10*time.Second))...)
	if err == nil {
		t.Cleanup(conn.Close)
	}
	return conn, err
}

// TestLogins logs in to servers in all ways, and in wrong ones. The errors say what to do, and have
// no secret.
func TestLogins(t *testing.T) {
	dir := t.TempDir()
	future := time.Now().Add(time.Hour)
	operator, stranger := natstest.NewOperator(t), natstest.NewOperator(t)
	operator.Account(t, "robots", natstest.Unlimited)
	stranger.Account(t, "robots", natstest.Unlimited)
	creds := operator.Credentials(t, "robots", "robot", nil, nil, time.Time{})
	strange := stranger.Credentials(t, "robots", "stranger", nil, nil, time.Time{})
	expired := operator.Credentials(t, "robots", "expired", nil, nil, time.Now().Add(-time.Hour))
	nkey, public := seed(t, dir)
	otherKey, _ := seed(t, dir)
	certificates, others := natstest.NewCertificates(t, future), natstest.NewCertificates(t, future)
	old := natstest.NewCertificates(t, time.Now().Add(-time.Hour))
	ca, cert, key := "ca="+certificates.CA, "&cert="+certificates.Cert, "&key="+certificates.Key

	jwt := natstest.Start(t, operator.Configure)
	keys := natstest.Start(t, func(o *server.Options) { o.Nkeys = []*server.NkeyUser{{Nkey: public}} })
	passwords := natstest.Start(t, func(o *server.Options) { o.Username, o.Password = "robot", "hush-hush,/@?" })
	tokens := natstest.Start(t, func(o *server.Options) { o.Authorization = "hush-hush" })
	open := natstest.Start(t)
	secure := natstest.Start(t, certificates.Configure(false))
	verifying := natstest.Start(t, certificates.Configure(true))
	first := natstest.Start(t, certificates.Configure(false), func(o *server.Options) { o.TLSHandshakeFirst = true })
	outdated := natstest.Start(t, old.Configure(false))
	bare := func(url string) string { return url[strings.Index(url, "://")+3:] }
	password := url.QueryEscape("hush-hush,/@?")
	contexts := 0
	context := func(fields map[string]any) string {
		text, err := json.Marshal(fields)
		fatal.If(t, err)
		contexts++
		return "?context=" + put(t, dir, fmt.Sprintf("c%d.json", contexts), string(text))
	}
	for _, test := range []struct{ what, address, want string }{
		{"credentials", jwt + "?creds=" + creds, ""},
		{"no credentials", jwt, "NATS_CREDS"},
		{"credentials of another operator", jwt + "?creds=" + strange, "the server does not know this user"},
		{"expired credentials", jwt + "?creds=" + expired, "expired.creds have expired at 20"},
		{"no file of credentials", jwt + "?creds=" + filepath.Join(dir, "none"),
			"cannot read the file of credentials " + filepath.Join(dir, "none") + ", which --nats-creds or "},
		{"no credentials in a file", jwt + "?creds=" + put(t, dir, "hush.creds", "hush-hush"), "'nsc generate creds'"},
		{"an nkey as credentials", jwt + "?creds=" + nkey, "'nsc generate creds'"},
		{"an nkey", keys + "?nkey=" + nkey, ""},
		{"another nkey", keys + "?nkey=" + otherKey, "NATS_NKEY"},
		{"a file without an nkey", keys + "?nkey=" + put(t, dir, "hush.nk", "SUhush-hush"), "begins with SU"},
		{"an nkey for a server without", open + "?nkey=" + nkey, "knows no users with keys"},
		{"a password", passwords + "?user=robot&password=" + password, ""},
		{"a password in the URL", "nats://robot:hush-hush%2C%2F%40%3F@" + bare(passwords), ""},
		{"a wrong password", "nats://robot:hush-hush@" + bare(passwords), "the server does not know this user"},
		{"a token", tokens + "?token=hush-hush", ""},
		{"a token in the URL", "nats://hush-hush@" + bare(tokens), ""},
		{"a wrong token", tokens + "?token=hush", "the server does not know this user"},
		{"an unknown CA", secure, "--nats-ca or NATS_CA"},
		{"another CA", secure + "?ca=" + others.CA, "--nats-ca or NATS_CA"},
		{"a CA", secure + "?" + ca, ""},
		{"a CA, with a URL of TLS", "tls://" + bare(secure) + "?" + ca, ""},
		{"a CA that is none", secure + "?ca=" + put(t, dir, "hush.pem", "hush-hush"), "certificates in PEM"},
		{"no client certificate", verifying + "?" + ca, "--nats-cert and --nats-key"},
		{"a client certificate of another CA", verifying + "?" + ca + "&cert=" + others.Cert + "&key=" + others.Key,
			"--nats-cert and --nats-key"},
		{"an expired client certificate", verifying + "?" + ca + "&cert=" + old.Cert + "&key=" + old.Key, "NATS_CERT"},
		{"a client certificate", verifying + "?" + ca + cert + key, ""},
		{"a client certificate without its key", verifying + "?" + ca + cert, "--nats-cert and --nats-key"},
		{"a certificate with another key", verifying + "?" + ca + cert + "&key=" + others.Key, "its private key"},
		{"an expired certificate of the server", outdated + "?ca=" + old.CA, "has expired"},
		{"TLS from a server without", "tls://" + bare(open), "the server has no TLS"},
		{"a CA for a server without TLS", open + "?" + ca, "the server has no TLS"},
		{"TLS at once", context(map[string]any{"url": first, "tls_first": true, "ca": certificates.CA}), ""},
		{"TLS at once from a server that does not", context(map[string]any{"url": secure, "tls_first": true,
			"ca": certificates.CA}), "leave tls_first out"},
		{"a context", context(map[string]any{"url": jwt, "creds": creds, "token": "", "nsc": "", "tls_first": false,
			"windows_ca_certs_match": nil, "description": "x"}), ""},
		{"a context with a user", context(map[string]any{"url": passwords, "user": "robot",
			"password": "hush-hush,/@?"}), ""},
		{"a context with a prefix of inboxes", context(map[string]any{"url": jwt, "inbox_prefix": "_INBOX.robots",
			"creds": operator.Credentials(t, "robots", "inbox", nil, []string{"_INBOX.robots.>"}, future)}), ""},
		{"other credentials than in it", context(map[string]any{"url": jwt, "user": "x"}) + "&creds=" + creds, ""},
		{"another server than in it", jwt + context(map[string]any{"url": "nats://127.0.0.1:1", "creds": creds}), ""},
		{"a context without a server", context(map[string]any{"creds": creds}), "has no url"},
		{"a context with two logins", context(map[string]any{"url": jwt, "creds": creds, "token": "hush-hush"}),
			"a file of credentials and a token are given"},
		{"two logins", jwt + "?token=hush-hush&creds=" + creds, "a file of credentials and a token are given"},
		{"two logins, one in the URL", "nats://a:hush-hush@" + bare(jwt) + "?creds=" + creds, "leave one of the two"},
		{"a password without a user", passwords + "?password=hush-hush", "NATS_USER"},
		{"a field that matters", context(map[string]any{"url": jwt, "nsc": "nsc://hush-hush"}), "the field \"nsc\""},
		{"a field of a wrong type", context(map[string]any{"url": jwt, "password": 123456}),
			"has a field password of another type"},
		{"a context that is none", "?context=" + put(t, dir, "none.json", "hush-hush"), "is not JSON"},
		{"a context of no file", "?context=" + filepath.Join(dir, "no.json"), "cannot read the NATS context"},
		{"an unknown parameter", jwt + "?hush-hush=1", "parameters after a question mark"},
		{"a parameter twice", jwt + "?creds=hush-hush&creds=x", "parameters after a question mark"},
		{"nobody", "nats://robot:hush-hush@127.0.0.1:1", "no servers available"},
	} {
		_, err := try(t, test.address)
		switch {
		case err == nil && test.want != "":
			t.Errorf("%s: no error", test.what)
		case err != nil && (test.want == "" || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: got %v, want %q", test.what, err, test.want)
		}
		// The names of the files have no secret, but "hush".
		if err != nil && containsPart(strings.NewReplacer(dir, "", "hush.", "").Replace(err.Error()), "hush-hush") ||
			err != nil && strings.Contains(err.Error(), "12345") {
			t.Errorf("%s: the error has a secret: %v", test.what, err)
		}
	}
}

// TestContextNames finds contexts by their names, as the nats command does.
func TestContextNames(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	t.Setenv("ROBOTS_TEST_FOLDER", dir)
	put(t, dir, "nats/context/one.json", `{"url": "nats://192.0.2.1:1", "creds": "$ROBOTS_TEST_FOLDER/x.creds"}`)
	put(t, dir, "nats/context/two.json", `{}`)
	a, err := parse("?context=one")
	if err != nil || a.servers != "nats://192.0.2.1:1" || a.creds != dir+"/x.creds" {
		t.Errorf("got %+v, %v", a, err)
	}
	if _, err := parse("?context=three"); err == nil || !strings.Contains(err.Error(), "has one, two;") {
		t.Errorf("got %v", err)
	}
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("HOME", dir)
	t.Setenv("USERPROFILE", dir)
	put(t, dir, ".config/nats/context/home.json", `{"url": "nats://192.0.2.2:1", "nkey": "~/x.nk"}`)
	if a, err := parse("?context=home"); err != nil || a.nkey != dir+"/x.nk" {
		t.Errorf("got %+v, %v", a, err)
	}
}

// TestExposed reports files with secrets that everybody can read.
func TestExposed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no mode")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"x.creds": "", "x.nk": "", "x.key": "", "open.json": `{"url": "a", "password": "x", "user": "y"}`,
		"plain.json": `{"url": "a"}`, "url.json": `{"url": "nats://a:b@c"}`,
	} {
		fatal.If(t, os.Chmod(put(t, dir, name, text), 0o644))
	}
	for address, want := range map[string][]string{
		"a?creds=" + dir + "/x.creds":                               {"credentials"},
		"a?nkey=" + dir + "/x.nk":                                   {"nkey"},
		"a?cert=x&key=" + dir + "/x.key&creds=" + dir + "/x.creds":  {"credentials", "private key"},
		"?context=" + dir + "/open.json":                            {"password"},
		"?context=" + dir + "/url.json":                             {"password"},
		"?context=" + dir + "/plain.json":                           nil,
		"?context=" + dir + "/plain.json&creds=" + dir + "/x.creds": {"credentials"},
		"nats://a:b@c":                   nil,
		"a?creds=" + dir + "/none.creds": nil,
	} {
		got := Exposed(address)
		if len(got) != len(want) {
			t.Errorf("%s: got %q, want %q", address, got, want)
			continue
		}
		for i, part := range want {
			if !strings.Contains(got[i], part) {
				t.Errorf("%s: got %q, want %q", address, got[i], part)
			}
		}
	}
}

// TestShown shows the servers of an address, and no secret.
func TestShown(t *testing.T) {
	for address, want := range map[string]string{
		"nats://a:secret@b:1,tls://secret@c:2?ca=x": "b:1,c:2",
		"b": "b", "nats://a:sec/ret@b": "", "b?password=x&user=secret": "b",
	} {
		if got := Shown(address); got != want {
			t.Errorf("%s: got %s, want %s", address, got, want)
		}
	}
}
