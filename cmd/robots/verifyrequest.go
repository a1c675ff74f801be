package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/agent/botauth"
	"github.com/robotsexclusion/robots/agent/keydir"
	"github.com/robotsexclusion/robots/internal/inforce"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A requestVerifier has the flags of verify for signed requests.
type requestVerifier struct {
	file         string
	keys         string
	at           inforce.Moment
	allowPrivate bool
}

func (v *requestVerifier) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&v.file, "request", "", "judge the signature of the HTTP request in `file`, as a server logged it, and no address; - is standard input")
	flags.StringVar(&v.keys, "keys", "", "with --request: take the keys from `file`, a JSON Web Key Set, and fetch none")
	flags.Var(momentFlag{&v.at}, "at", "with --request: judge it as at `time`, such as 2026-03-03T14:00:00Z, when the request came (default now)")
	flags.BoolVar(&v.allowPrivate, "allow-private", false, "with --request: fetch keys from private and other special addresses too")
}

// checkFlags refuses flags that do not go together.
func (v *requestVerifier) checkFlags(cmd *cobra.Command, args []string, offline bool) error {
	if v.file == "" {
		for _, name := range []string{"request", "keys", "at", "allow-private"} {
			if cmd.Flags().Changed(name) {
				return misusef("--%s is for the request in a file: name the file with --request", name)
			}
		}
		return nil
	}
	for _, name := range []string{"agent", "ranges", "below", "dns", "cache", "robots-table"} {
		if cmd.Flags().Changed(name) {
			return misusef("--%s is for addresses, and not for --request", name)
		}
	}
	switch {
	case len(args) > 0:
		return misusef("--request judges a request and no addresses: leave %s out", shown(args[0]))
	case !v.at.First.Equal(v.at.Last):
		return misusef("--at %s is a day, and signatures are valid for minutes: name a time such as 2026-03-03T14:00:00Z", v.at.Text)
	case offline && v.keys == "":
		return misusef("--offline fetches no keys: name a file with them with --keys")
	case v.keys == userfile.Stdin && v.file == userfile.Stdin:
		return misusef("--request and --keys cannot both be standard input")
	}
	return nil
}

const maxRequest = 1 << 20 // bytes of a file with a request or with keys

// run judges the request. It returns the error for the exit status.
func (v *requestVerifier) run(ctx context.Context, cmd *cobra.Command, timeout time.Duration, asJSON bool) error {
	text, err := userfile.ReadAtMost(v.file, cmd.InOrStdin(), maxRequest, "that is not one request")
	if err != nil {
		return err
	}
	request, err := userfile.ParseRequest(text)
	if err != nil {
		return fmt.Errorf("%s: %w", called(v.file), err)
	}
	j := &judgement{at: v.at.First, request: request.WithContext(ctx), keysFile: called(v.keys)}
	if !v.at.Given() {
		j.at = time.Now().UTC()
	}
	verifier := &botauth.Verifier{Scheme: "https"}
	if v.keys != "" {
		verifier.Keys, err = keysOfFile(cmd, v.keys)
	} else {
		j.client = &keydir.Client{
			UserAgent: (&network{}).asks(), Timeout: timeout,
			Transport: (&network{allowPrivate: v.allowPrivate}).dialFilter().Transport(),
		}
		verifier.Keys = j.client.Key
	}
	if err != nil {
		return err
	}
	j.verdicts = verifier.VerifyAll(j.request, j.at)
	if ctx.Err() != nil {
		return errInterrupted
	}
	if asJSON {
		_, err = cmd.OutOrStdout().Write(printable.JSON(append(printable.AppendJSON(nil, j.object()), '\n')))
	} else {
		_, err = io.WriteString(cmd.OutOrStdout(), j.text(!v.at.Given()))
	}
	if err != nil {
		return fmt.Errorf("cannot write the verdict: %w", cause(err))
	}
	return j.status()
}

// keysOfFile returns a function for [botauth.Verifier] with the keys of a file, whoever the request
// says it is from.
func keysOfFile(cmd *cobra.Command, name string) (func(context.Context, botauth.Agent, string) (botauth.Key, error), error) {
	data, err := userfile.ReadAtMost(name, cmd.InOrStdin(), maxRequest, "that is not a JSON Web Key Set")
	if err != nil {
		return nil, err
	}
	directory, err := botauth.ParseDirectory(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", called(name), err)
	}
	return func(_ context.Context, _ botauth.Agent, id string) (botauth.Key, error) {
		key, ok := directory.Key(id)
		if ok {
			return key, nil
		}
		err := fmt.Errorf("it is not in %s", called(name))
		if rejected := directory.Rejected(); len(rejected) > 0 {
			err = fmt.Errorf("%w, which has entries that cannot be used: %w", err, rejected[0])
		}
		return key, err
	}, nil
}

// A judgement is the result for a request.
type judgement struct {
	request  *http.Request
	at       time.Time
	verdicts []botauth.Verdict
	client   *keydir.Client // nil if the keys are from a file
	keysFile string
}

// status returns the error for the exit status: a verified signature counts, then a forged one.
func (j *judgement) status() error {
	has := func(is func(botauth.Verdict) bool) bool { return slices.ContainsFunc(j.verdicts, is) }
	switch {
	case has(func(v botauth.Verdict) bool { return v.Result == botauth.Verified }):
		return nil
	case has(func(v botauth.Verdict) bool { return v.Result == botauth.Forged }):
		return errNo
	case has(func(v botauth.Verdict) bool {
		return v.Reason == "unsupported" || errors.Is(v.Err, keydir.ErrUnavailable)
	}):
		return errFailed
	}
	return errNo
}

// source returns the source of the keys of a verified signature, or nil.
func (j *judgement) source(v botauth.Verdict) *keydir.Source {
	if j.client == nil || v.Result != botauth.Verified {
		return nil
	}
	s, err := j.client.Source(j.request.Context(), v.Agent)
	if err != nil {
		return nil
	}
	return s
}

// A signatureObject is a verdict in JSON.
type signatureObject struct {
	botauth.Verdict
	Host      string // of the document with the keys
	Keys      string // the document with the keys: its URL, or a file
	Possessed *bool  // whether the key signed the document
	Card      *botauth.Card
	Claims    string // the URL that the request names, if the keys are from a file
}

// MarshalJSON adds the members of s to those of the verdict.
func (s signatureObject) MarshalJSON() ([]byte, error) {
	verdict, err := s.Verdict.MarshalJSON()
	if err != nil {
		return nil, err
	}
	b := append(verdict[:len(verdict)-1], `,"tag":"web-bot-auth"`...)
	if s.Reason == botauth.Unsigned {
		b = verdict[:len(verdict)-1]
	}
	if s.Keys != "" {
		b = printable.AppendJSON(append(b, `,"keys":`...), s.Keys)
	}
	if s.Claims != "" {
		b = printable.AppendJSON(append(b, `,"claims":`...), s.Claims)
	}
	if s.Host != "" {
		b = printable.AppendJSON(append(b, `,"host":`...), s.Host)
	}
	if s.Possessed != nil {
		b = fmt.Appendf(b, `,"possessed":%t`, *s.Possessed)
	}
	if s.Card != nil {
		b = printable.AppendJSON(append(b, `,"name":`...), s.Card.Name)
		b = printable.AppendJSON(append(b, `,"token":`...), s.Card.ProductToken)
	}
	return append(b, '}'), nil
}

// object returns the judgement for JSON.
func (j *judgement) object() any {
	var signatures []signatureObject
	for _, v := range j.verdicts {
		o := signatureObject{Verdict: v}
		if s := j.source(v); s != nil {
			possessed := slices.Contains(s.Possessed, v.KeyID)
			o.Keys, o.Host, o.Possessed, o.Card = s.URL, hostOf(s.URL), &possessed, s.Card
		} else if j.client == nil && v.Result == botauth.Verified {
			o.Keys, o.Claims, o.Agent = j.keysFile, v.Agent.URL, botauth.Agent{}
		}
		signatures = append(signatures, o)
	}
	return struct {
		Method     string            `json:"method"`
		URL        string            `json:"url"`
		At         time.Time         `json:"at"`
		Signatures []signatureObject `json:"signatures"`
	}{j.request.Method, j.url(), j.at, signatures}
}

// url returns the URL of the request, which is taken to have come over https.
func (j *judgement) url() string {
	if strings.HasPrefix(j.request.RequestURI, "/") {
		return "https://" + j.request.Host + j.request.RequestURI
	}
	return j.request.RequestURI
}

// text returns the judgement for people. If the time was not given, it says how to give it.
func (j *judgement) text(now bool) string {
	var b strings.Builder
	line := func(title, text string) {
		if text != "" {
			fmt.Fprintf(&b, "    %-9s  %s\n", title, printable.Text(text))
		}
	}
	for i, v := range j.verdicts {
		if i > 0 {
			b.WriteByte('\n')
		}
		why := v.Why()
		if v.Result == botauth.Verified {
			why = "signed by " + j.signer(v)
		}
		fmt.Fprintf(&b, "%s: %s\n", v.Result, printable.Text(why))
		line("request", j.request.Method+" "+j.url())
		if v.Reason == botauth.Unsigned {
			continue
		}
		line("signature", v.Label+", web-bot-auth")
		claim := v.Agent.URL
		if claim != "" && (v.Result != botauth.Verified || j.client == nil) {
			claim += ", which is only claimed"
		}
		line("agent", claim)
		if s := j.source(v); s != nil {
			proof := ", which this key has not signed"
			if slices.Contains(s.Possessed, v.KeyID) {
				proof = ", which this key has signed"
			}
			line("keys", s.URL+proof)
			if s.Card != nil {
				line("card", strings.Trim(s.Card.Name+", in robots.txt "+s.Card.ProductToken, ", "))
			}
		}
		line("key", v.KeyID)
		line("created", timeText(v.Created))
		line("expires", timeText(v.Expires))
		line("covers", strings.Join(v.Covered, " "))
		if v.Reason == "expired" && now {
			line("note", "say --at TIME to judge it as at the time at which the request came")
		}
	}
	return b.String()
}

// signer says whose signature a verified one is.
func (j *judgement) signer(v botauth.Verdict) string {
	if s := j.source(v); s != nil {
		return hostOf(s.URL)
	}
	return "a key of " + j.keysFile
}

func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}
