package natsflag

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestAddress joins flags and the environment.
func TestAddress(t *testing.T) {
	for _, test := range []struct{ what, flags, environment, want string }{
		{"nothing", "", "", ""},
		{"no flag asks for NATS", "", "NATS_URL=nats://a NATS_CONTEXT=b NATS_CREDS=c", ""},
		{"a URL", "--nats nats://a,nats://b", "NATS_URL=nats://c NATS_CONTEXT=d", "nats://a,nats://b"},
		{"how to log in", "--nats a", "NATS_CREDS=/c NATS_CA=/ca NATS_CERT=/ce NATS_KEY=/k",
			"a?ca=%2Fca&cert=%2Fce&creds=%2Fc&key=%2Fk"},
		{"a user", "--nats a", "NATS_USER=u NATS_PASSWORD=p@&,", "a?password=p%40%26%2C&user=u"},
		{"a token, as a user", "--nats a", "NATS_USER=t", "a?token=t"},
		{"a token", "--nats a", "NATS_TOKEN=t", "a?token=t"},
		{"both", "--nats a", "NATS_USER=u NATS_TOKEN=t", "error: NATS_USER and NATS_TOKEN"},
		{"an nkey", "--nats a", "NATS_NKEY=n", "a?nkey=n"},
		{"a user in the URL", "--nats nats://u:p@a", "NATS_CREDS=c NATS_USER=x NATS_CA=ca", "nats://u:p@a?ca=ca"},
		{"flags before the environment", "--nats a --nats-creds f --nats-ca g --nats-cert h --nats-key i",
			"NATS_CREDS=c NATS_CA=ca NATS_CERT=ce NATS_KEY=k NATS_USER=u", "a?ca=g&cert=h&creds=f&key=i"},
		{"half a certificate", "--nats a --nats-cert h", "NATS_CERT=ce NATS_KEY=k", "a?cert=h"},
		{"parameters before the environment", "--nats a?creds=f&ca=g", "NATS_CREDS=c NATS_CA=ca", "a?ca=g&creds=f"},
		{"a context", "--nats-context c", "NATS_CREDS=x NATS_URL=y", "?context=c"},
		{"a context, with flags", "--nats-context c --nats b --nats-creds f", "NATS_CA=x", "b?context=c&creds=f"},
		{"the environment", "--nats env", "NATS_URL=nats://a NATS_CREDS=c", "nats://a?creds=c"},
		{"a context of the environment", "--nats env", "NATS_CONTEXT=a NATS_CREDS=c", "?context=a&creds=c"},
		{"an empty environment", "--nats env", "NATS_CREDS=c", "error: set NATS_URL or NATS_CONTEXT"},
		{"the environment and a context", "--nats env --nats-context c", "NATS_URL=a", "error: leave one of the two"},
		{"flags without NATS", "--nats-creds f", "", "error: name it with --nats or --nats-context"},
		{"a URL that is wrong", "--nats nats://a:b?%zz@c", "NATS_CREDS=c", "nats://a:b?%zz@c"},
	} {
		t.Run(test.what, func(t *testing.T) {
			for name := range strings.FieldsSeq("URL CONTEXT CREDS NKEY USER PASSWORD TOKEN CA CERT KEY") {
				t.Setenv("NATS_"+name, "")
			}
			for _, variable := range strings.Fields(test.environment) {
				name, value, _ := strings.Cut(variable, "=")
				t.Setenv(name, value)
			}
			var f Flags
			flags := pflag.NewFlagSet("test", pflag.ContinueOnError)
			f.AddFlags(flags, "use NATS at `URL`")
			fatal.If(t, flags.Parse(strings.Fields(test.flags)))
			got, err := f.Address()
			want, wrong := strings.CutPrefix(test.want, "error: ")
			switch {
			case wrong && (err == nil || !strings.Contains(err.Error(), want)):
				t.Errorf("got %v, want %s", err, want)
			case !wrong && (err != nil || got != want):
				t.Errorf("got %q, %v, want %q", got, err, want)
			}
		})
	}
}
