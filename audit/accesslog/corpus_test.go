package accesslog_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestCorpus reads real logs of some forty formats. It states for each how many lines are requests,
// in which format, and how many cannot be read, with the reason for all of them. doc/access-logs.md
// has the table.
func TestCorpus(t *testing.T) {
	const w3c = "w3c"
	corpus.Path(t, "logs") // or skip
	var table strings.Builder
	table.WriteString("\n| log | format | lines | read | unread | why |\n| --- | --- | --: | --: | --: | --- |\n")
	var requests, unreadable int64
	cases, rows := 0, 0
	for _, c := range []struct {
		file, format         string
		requests, unreadable int64
		reason               string // why lines are unreadable
	}{
		{"large/honeynet-2004.log", "combined", 38483, 4, "quotes that the server did not escape"},
		{"large/honeypot-form-2015.log", "combined", 3456, 0, ""},
		{"large/lnav-playground-2022.log", "combined", 2492, 0, ""},
		{"large/semicomplete-2015.log", "combined", 9999, 1, "a line that was cut"},
		{"large/shop-zanbil-2019.log", "combined", 1000, 0, ""},
		{"small/advertools/combined_latin1_enc.log", "combined", 169, 31, "a compressed log inside of the log"},
		{"small/advertools/combined_with_errors.log", "combined", 885, 4, "lines of errors"},
		{"small/advertools/dreamhost_apache_access.log", "combined", 129, 0, ""},
		{"small/advertools/nginx_custom_date.log", "combined", 20, 0, ""},
		{"small/awstats/testglobal.log", "combined", 56, 0, ""},
		{"small/awstats/testnginx.log", "", 0, 1, "a format of the site's own"},
		{"small/awstats/testsmall.log", "combined", 3, 0, ""},
		{"small/awstats/testtime5.log", "combined-iso", 2, 0, ""},
		{"small/crowdsec/apache-http-probing.log", "common", 77, 0, ""},
		{"small/crowdsec/apache2-logs.log", "combined", 7, 2, "the server's log of errors"},
		{"small/crowdsec/apache2-malformed.log", "combined", 11, 0, ""},
		{"small/crowdsec/aws-alb-http-bad-user-agent.log", "alb", 4, 0, ""},
		{"small/crowdsec/aws-alb-logs.log", "alb", 14, 0, ""},
		{"small/crowdsec/aws-cloudfront-logs.log", "cloudfront", 2, 0, ""},
		{"small/crowdsec/base-upsun-httplog-logs.log", "combined", 1, 0, ""},
		{"small/crowdsec/bunkerweb-logs.log", "vhost-combined", 5, 0, ""},
		{"small/crowdsec/caddy-logs.log", "caddy", 10, 1, "a message that is not about a request"},
		{"small/crowdsec/envoy-http-crawl-non_statics.log", "envoy-json", 41, 0, ""},
		{"small/crowdsec/envoy-logs.log", "envoy-json", 10, 0, ""},
		{"small/crowdsec/iis-xml-logs.log", "iis-xml", 1, 0, ""},
		{"small/crowdsec/litespeed-http-sensitive-files.log", "combined", 6, 0, ""},
		{"small/crowdsec/nginx-http-malformed.log", "combined", 12, 0, ""},
		{"small/crowdsec/nginx-proxy-manager-logs.log", "nginx-proxy-manager", 12, 2, "the server's log of errors"},
		{"small/crowdsec/nginx_http-logs.log", "combined", 7, 2, "the server's log of errors; a line without a field"},
		{"small/crowdsec/traefik_base-http-scenario.log", "traefik", 80, 0, ""},
		{"small/crowdsec/traefik_clf.log", "combined", 7, 0, ""},
		{"small/crowdsec/traefik_json.log", "traefik", 6, 1, "a message of a plugin"},
		{"small/crowdsec/zoraxy-http-logs.log", "zoraxy", 13, 0, ""},
		{"small/iis/ex010320.log", "iis", 2, 0, ""},
		{"small/iis/ex031118.log", "", 0, 4, "fields without a time"},
		{"small/iis/ex960101.log", w3c, 5, 0, ""},
		{"small/iis/pf040903.log", "", 0, 4, "a firewall's log"},
		{"small/iis/u_ex100815.log", w3c, 16, 0, ""},
		{"small/iis/u_ex160110.log", w3c, 28, 0, ""},
		{"small/matomo/alb.log", "alb", 1, 0, ""},
		{"small/matomo/amazon_cloudfront_rtmp.log", w3c, 2, 0, ""},
		{"small/matomo/amazon_cloudfront_web.log", w3c, 1, 0, ""},
		{"small/matomo/caddy_json.log", "caddy", 3, 0, ""},
		{"small/matomo/common.log", "common", 1, 0, ""},
		{"small/matomo/common_complete.log", "vhost-combined", 1, 0, ""},
		{"small/matomo/common_encoding_big5.log", "vhost-combined", 1, 0, ""},
		{"small/matomo/common_vhost.log", "vhost-common", 1, 0, ""},
		{"small/matomo/elb.log", "elb", 2, 0, ""},
		{"small/matomo/gandi.log", "gandi", 2, 0, ""},
		{"small/matomo/haproxy.log", "haproxy", 1, 0, ""},
		{"small/matomo/icecast2.log", "combined", 1, 0, ""},
		{"small/matomo/iis.log", w3c, 1, 0, ""},
		{"small/matomo/iis_custom.log", w3c, 3, 0, ""},
		{"small/matomo/incapsula_w3c.log", w3c, 2, 0, ""},
		{"small/matomo/logs_to_tests.log", "combined", 4, 0, ""},
		{"small/matomo/ncsa_extended.log", "combined", 1, 0, ""},
		{"small/matomo/netscaler.log", w3c, 1, 0, ""},
		{"small/matomo/nginx_json.log", "json", 2, 0, ""},
		{"small/matomo/ovh.log", "ovh", 1, 0, ""},
		{"small/matomo/s3.log", "s3", 1, 0, ""},
		{"small/matomo/shoutcast.log", w3c, 1, 0, ""},
		{"small/matomo/splitted_date_and_time.log", w3c, 1, 0, ""},
		{"small/matomo/traefik_json.log", "traefik", 1, 0, ""},
	} {
		cases++
		t.Run(strings.TrimSuffix(filepath.Base(c.file), ".log"), func(t *testing.T) {
			var reader accesslog.Reader
			scan := reader.Open(corpus.Path(t, "logs", filepath.FromSlash(c.file)+".gz"))
			for request, err := range scan.Requests() {
				var bad *accesslog.SyntaxError
				switch {
				case errors.As(err, &bad):
					t.Logf("line %d (%s): %s: %.100q", bad.Line, c.reason, bad.Reason, bad.Text)
				case err != nil:
					t.Error(err)
				case request.Time.IsZero() || request.Target == nil && request.Status != 400 && request.Status != 408:
					t.Errorf("line %d has no time or no target: %q", request.Line, request.Text)
				}
			}
			log := scan.Logs()[0]
			format := ""
			if log.Format != nil {
				format = log.Format.String()
			}
			if format != c.format || log.Requests != c.requests || log.Unreadable != c.unreadable {
				t.Errorf("format %q, %d requests, %d unreadable; want %q, %d, %d", format, log.Requests, log.Unreadable,
					c.format, c.requests, c.unreadable)
			}
			rows++
			shown := format
			if shown == "" {
				shown = "none"
			}
			fmt.Fprintf(&table, "| %s | %s | %d | %d | %d | %s |\n", strings.TrimSuffix(c.file, ".log"), shown,
				log.Lines, log.Requests, log.Unreadable, c.reason)
			requests, unreadable = requests+log.Requests, unreadable+log.Unreadable
			if log.Lines != log.Requests+log.Unreadable+log.Empty+log.Comments {
				t.Errorf("%d lines are not %d requests, %d unreadable, %d empty and %d comments", log.Lines,
					log.Requests, log.Unreadable, log.Empty, log.Comments)
			}
		})
	}
	if t.Failed() || rows < cases { // or -run names a part
		return
	}
	fmt.Fprintf(&table, "\nTogether %d of %d lines that are neither empty nor comments are read: %.2f %%.\n\n",
		requests, requests+unreadable, 100*float64(requests)/float64(requests+unreadable))
	holdTable(t, filepath.Join("..", "..", "doc", "access-logs.md"), table.String())
}

// holdTable compares a table with that of a document, or writes it there with -update.
func holdTable(t *testing.T, file, table string) {
	t.Helper()
	data, err := os.ReadFile(file)
	fatal.If(t, err)
	const from, to = "<!-- logs: from TestCorpus of accesslog -->\n", "<!-- end of logs -->\n"
	head, rest, ok := strings.Cut(string(data), from)
	_, tail, ok2 := strings.Cut(rest, to)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the table between %q and %q", file, from, to)
	}
	want := head + from + table + to + tail
	if want == string(data) {
		return
	}
	if !*update {
		t.Fatalf("%s does not have the table of this test: run go test ./accesslog -run 'TestCorpus$' -update with a corpus", file)
	}
	fatal.If(t, os.WriteFile(file, []byte(want), 0o666))
}
