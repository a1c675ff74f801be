package nats

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	client "github.com/nats-io/nats.go"

	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/userfile"
)

// An address says which servers to connect to, and how to log in. Its text form is the URLs of the
// servers, with commas between, and after a question mark parameters as in the query of a URL:
//
//	tls://10.0.0.1:4222,tls://10.0.0.2:4222?creds=/etc/robots/robots.creds&ca=/etc/robots/ca.pem
//	?context=production
//
// The parameters are the names of files (creds, nkey, ca, cert, key), user, password and token, and
// context: the name or the file of a context of the nats command, which gives what the text leaves
// out.
type address struct {
	servers  string
	creds    string
	nkey     string
	user     string
	password string
	token    string
	ca       string
	cert     string
	key      string

	context  string // the file, or ""
	tlsFirst bool
	inbox    string // the prefix of inboxes, or ""
}

// field returns the field of a parameter, or nil if there is none of that name.
func (a *address) field(name string) *string {
	switch name {
	case "creds":
		return &a.creds
	case "nkey":
		return &a.nkey
	case "user":
		return &a.user
	case "password":
		return &a.password
	case "token":
		return &a.token
	case "ca":
		return &a.ca
	case "cert":
		return &a.cert
	case "key":
		return &a.key
	}
	return nil
}

var errURL = errors.New("a URL is not that of a server, such as nats://HOST:4222; " +
	"in a password, write %40 for @, %3A for :, %2F for /, %3F for ?, %23 for #, %25 for % and %2C for a comma")

var errParameters = errors.New("the parameters after a question mark are context, creds, nkey, user, password, " +
	"token, ca, cert and key, each once and with a value; in a password of a URL, write %3F for a question mark")

// parse reads an address. No error has a part of a password, nor of what may be one.
func parse(text string) (a address, err error) {
	servers, query, ok := strings.Cut(text, "?")
	if ok {
		values, err := url.ParseQuery(query)
		if err != nil {
			return a, errParameters
		}
		for name, value := range values {
			field := a.field(name)
			if name == "context" {
				field = &a.context
			}
			if field == nil || len(value) != 1 || value[0] == "" {
				return a, errParameters
			}
			*field = value[0]
		}
	}
	a.servers = servers
	if a.context != "" {
		if err := a.complete(); err != nil {
			return a, err
		}
	}
	if err := checkURLs(a.servers); err != nil {
		return a, err
	}
	return a, a.check()
}

// checkURLs reads the URLs before the client does: the errors of the client and of url.Parse show
// the part that is wrong, such as the start of a password with a slash, which is a port to them.
func checkURLs(servers string) error {
	for server := range strings.SplitSeq(servers, ",") {
		u, err := parseURL(server)
		if err != nil || strings.Contains(u.Path+u.RawQuery+u.Fragment, "@") {
			return errURL
		}
	}
	return nil
}

func parseURL(server string) (*url.URL, error) {
	server = strings.TrimSpace(server)
	if server != "" && !strings.Contains(server, "://") {
		server = "nats://" + server
	}
	return url.Parse(server)
}

// hasUser reports whether a URL has a user or a token.
func (a *address) hasUser() bool {
	for server := range strings.SplitSeq(a.servers, ",") {
		if u, err := parseURL(server); err == nil && u.User != nil {
			return true
		}
	}
	return false
}

// logins returns the ways to log in that an address has.
func (a *address) logins() (ways []string) {
	if a.hasUser() {
		ways = append(ways, "a user or a token in a URL")
	}
	for _, way := range []struct{ name, value string }{
		{"a file of credentials", a.creds}, {"an nkey", a.nkey}, {"a user", a.user + a.password}, {"a token", a.token},
	} {
		if way.value != "" {
			ways = append(ways, way.name)
		}
	}
	return ways
}

// check returns an error for parts that do not go together.
func (a *address) check() error {
	ways := a.logins()
	switch {
	case len(ways) > 1:
		return fmt.Errorf("%s and %s are given: leave one of the two out", ways[0], ways[1])
	case a.user == "" && a.password != "":
		return errors.New("a password is given, and no user: name the user with it, as NATS_USER does")
	case (a.cert == "") != (a.key == ""):
		return errors.New("a client certificate and its key go together: name both files, " +
			"with --nats-cert and --nats-key, or NATS_CERT and NATS_KEY")
	}
	return nil
}

// The fields of a context that do not matter here, and values of fields that are not set.
var (
	idle  = []string{"name", "description", "color_scheme", "jetstream_event_prefix"}
	empty = []string{`""`, "null", "false", "[]", "{}", "0"}
)

// complete reads the context of an address, and takes from it what the address lacks.
func (a *address) complete() error {
	name, err := contextFile(a.context)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("cannot read the NATS context %s: %w", printable.Shown(name), userfile.Cause(err))
	}
	a.context = name
	c, err := parseContext(text)
	if err != nil {
		return fmt.Errorf("the NATS context %s %w", printable.Shown(name), err)
	}
	if len(a.logins()) > 0 { // the explicit one counts
		c.creds, c.nkey, c.user, c.password, c.token = "", "", "", "", ""
	}
	if a.cert != "" || a.key != "" {
		c.cert, c.key = "", ""
	}
	for _, field := range []string{"creds", "nkey", "user", "password", "token", "ca", "cert", "key"} {
		if to := a.field(field); *to == "" {
			*to = *c.field(field)
		}
	}
	if a.servers == "" {
		a.servers = c.servers
	}
	if a.servers == "" {
		return fmt.Errorf("the NATS context %s has no url: add it with 'nats context edit', "+
			"or name the servers with --nats", printable.Shown(name))
	}
	a.tlsFirst, a.inbox = c.tlsFirst, c.inbox
	return nil
}

// parseContext reads the text of a context. Its errors continue a sentence, and have no value.
func parseContext(text []byte) (a address, err error) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(text, &fields) != nil {
		return a, errors.New("is not JSON, as 'nats context save' writes it")
	}
	for name, value := range fields {
		to := a.field(name)
		var wrong bool
		switch {
		case name == "url":
			wrong = json.Unmarshal(value, &a.servers) != nil
		case name == "inbox_prefix":
			wrong = json.Unmarshal(value, &a.inbox) != nil
		case name == "tls_first":
			wrong = json.Unmarshal(value, &a.tlsFirst) != nil
		case to != nil:
			wrong = json.Unmarshal(value, to) != nil
		case !slices.Contains(idle, name) && !slices.Contains(empty, string(value)):
			return a, fmt.Errorf("has the field %s, which this program does not know, and which may matter: "+
				"use a context without it", printable.Quoted(name, 60))
		}
		if wrong {
			return a, fmt.Errorf("has a field %s of another type than 'nats context save' writes", name)
		}
	}
	for _, name := range []*string{&a.creds, &a.nkey, &a.ca, &a.cert, &a.key} {
		*name = expand(*name)
	}
	return a, nil
}

// expand returns the name of a file in a context, in which "~" stands for the home folder, and
// $NAME for a variable.
func expand(name string) string {
	name = os.ExpandEnv(name)
	if rest, ok := strings.CutPrefix(name, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		if home, err := os.UserHomeDir(); err == nil {
			return home + rest
		}
	}
	return name
}

// contextFile returns the file of a context, which is given by its name or its file.
func contextFile(name string) (file string, err error) {
	if strings.ContainsAny(name, `/\`) || strings.HasSuffix(name, ".json") {
		return name, nil
	}
	dir := os.Getenv("XDG_CONFIG_HOME")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", errors.New("this user has no home folder with NATS contexts: name the file of the context")
		}
		dir = filepath.Join(home, ".config")
	}
	dir = filepath.Join(dir, "nats", "context")
	file = filepath.Join(dir, name+".json")
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		return file, nil
	}
	others := "none"
	if files, _ := filepath.Glob(filepath.Join(dir, "*.json")); len(files) > 0 {
		for i, f := range files {
			files[i] = strings.TrimSuffix(filepath.Base(f), ".json")
		}
		others = printable.Clipped(strings.Join(files, ", "), 400)
	}
	return "", fmt.Errorf("there is no NATS context %s: the folder %s has %s; make it with 'nats context save'",
		printable.Quoted(name, 100), printable.Shown(dir), others)
}

// options returns the options of a connection. It reads all files, so that a wrong file is an error
// at the start. The client reads files of credentials, certificates and keys again at each
// connection.
func (a *address) options() (options []client.Option, err error) {
	switch {
	case a.creds != "":
		option := client.UserCredentials(a.creds)
		var o client.Options
		err := option(&o)
		var text string
		if err == nil {
			text, err = o.UserJWT()
		}
		if err == nil && strings.Count(text, ".") != 2 { // the client takes any text for a JWT
			err = errors.New("no JWT")
		}
		if err == nil {
			_, err = o.SignatureCB([]byte("nonce"))
		}
		if err != nil {
			return nil, unusable("file of credentials", "--nats-creds or NATS_CREDS",
				"it has a JWT and a seed, as 'nsc generate creds' writes them", a.creds, err)
		}
		options = append(options, option)
	case a.nkey != "":
		option, err := client.NkeyOptionFromSeed(a.nkey)
		if err != nil {
			return nil, unusable("nkey", "NATS_NKEY", "it has the seed of a user, which begins with SU", a.nkey, err)
		}
		options = append(options, option)
	case a.user != "":
		options = append(options, client.UserInfo(a.user, a.password))
	case a.token != "":
		options = append(options, client.Token(a.token))
	}
	tls := []struct {
		file, what, flag, has string
		option                client.Option
	}{
		{a.ca, "CA", "--nats-ca or NATS_CA", "it has certificates in PEM", client.RootCAs(a.ca)},
		{a.cert, "client certificate", "--nats-cert or NATS_CERT",
			"it has a certificate in PEM, and --nats-key or NATS_KEY names its private key",
			client.ClientCert(a.cert, a.key)},
	}
	for _, part := range tls {
		if part.file == "" {
			continue
		}
		if err := part.option(new(client.Options)); err != nil {
			return nil, unusable(part.what, part.flag, part.has, part.file, err)
		}
		options = append(options, part.option)
	}
	if a.tlsFirst {
		options = append(options, client.TLSHandshakeFirst())
	}
	if a.inbox != "" {
		options = append(options, client.CustomInboxPrefix(a.inbox))
	}
	return options, nil
}

// expired returns when the credentials of a file have expired, if they have.
func expired(file string) (at time.Time, ok bool) {
	var o client.Options
	if client.UserCredentials(file)(&o) != nil {
		return at, false
	}
	text, err := o.UserJWT()
	if parts := strings.Split(text, "."); err == nil && len(parts) == 3 {
		var claims struct {
			Expires int64 `json:"exp"`
		}
		data, err := base64.RawURLEncoding.DecodeString(parts[1])
		if err == nil && json.Unmarshal(data, &claims) == nil && claims.Expires > 0 {
			at = time.Unix(claims.Expires, 0)
			return at, time.Now().After(at)
		}
	}
	return at, false
}

// unusable returns the error of a file that cannot be used.
func unusable(what, flag, has, file string, err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("cannot read the %s %s, which %s names: %w", what, printable.Shown(path.Path), flag, path.Err)
	}
	return fmt.Errorf("cannot use the %s %s, which %s names: %s", what, printable.Shown(file), flag, has)
}

// Exposed returns what to say about files with secrets that everybody on this machine can read or
// change. It is empty for an address that is wrong, which [Connect] reports.
func Exposed(text string) (notices []string) {
	a, err := parse(text)
	if err != nil {
		return nil
	}
	add := func(file, what string) {
		if notice := userfile.Exposed(file, what); file != "" && notice != "" {
			notices = append(notices, notice)
		}
	}
	add(a.creds, "credentials of the NATS user")
	add(a.nkey, "nkey of the NATS user")
	add(a.key, "private key of the NATS client")
	if a.password+a.token != "" || a.hasUser() {
		add(a.context, "password of the NATS user")
	}
	return notices
}

// HasLogin reports whether an address says how to log in, other than by its context.
func HasLogin(text string) bool {
	servers, query, _ := strings.Cut(text, "?")
	a := address{servers: servers}
	values, _ := url.ParseQuery(query)
	for name := range values {
		if field := a.field(name); field != nil {
			*field = values.Get(name)
		}
	}
	return len(a.logins()) > 0
}

// Shown returns the servers of an address without users and passwords, for messages. It returns ""
// for an address that is wrong.
func Shown(text string) string {
	a, err := parse(text)
	if err != nil {
		return ""
	}
	var shown []string
	for server := range strings.SplitSeq(a.servers, ",") {
		if u, err := parseURL(server); err == nil && u.Host != "" {
			shown = append(shown, u.Host)
		}
	}
	return printable.Clipped(strings.Join(shown, ","), 400)
}
