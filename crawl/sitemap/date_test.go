package sitemap_test

import (
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawl/sitemap"
)

func TestDates(t *testing.T) {
	for _, test := range []struct {
		text, want string
		precision  sitemap.Precision
	}{
		// W3C Datetime, its own examples.
		{"1997", "1997-01-01T00:00:00Z", sitemap.Year},
		{"1997-07", "1997-07-01T00:00:00Z", sitemap.Month},
		{"1997-07-16", "1997-07-16T00:00:00Z", sitemap.Day},
		{"1997-07-16T19:20+01:00", "1997-07-16T18:20:00Z", sitemap.Minute},
		{"1997-07-16T19:20:30+01:00", "1997-07-16T18:20:30Z", sitemap.Second},
		{"1997-07-16T19:20:30.45+01:00", "1997-07-16T18:20:30.45Z", sitemap.Fraction},
		{"1994-11-05T08:15:30-05:00", "1994-11-05T13:15:30Z", sitemap.Second},
		{"1994-11-05T13:15:30Z", "1994-11-05T13:15:30Z", sitemap.Second},

		// XML Schema.
		{"2020-02-29Z", "2020-02-29T00:00:00Z", sitemap.Day},
		{"2020-02-29+02:00", "2020-02-28T22:00:00Z", sitemap.Day},
		{"2020-01-01T24:00:00Z", "2020-01-02T00:00:00Z", sitemap.Second},
		{"2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z", sitemap.Second},
		{"2020-01-01T01:02:03.123456789123Z", "2020-01-01T01:02:03.123456789Z", sitemap.Fraction},

		// Variants found on sites.
		{"2008-01-02 03:04:05", "2008-01-02T03:04:05Z", sitemap.Second},
		{"2008-01-02T03:04:05", "2008-01-02T03:04:05Z", sitemap.Second},
		{"2008-01-02T03:04:05+0200", "2008-01-02T01:04:05Z", sitemap.Second},
		{"2008-01-02 03:04:05 -0200", "2008-01-02T05:04:05Z", sitemap.Second},
		{"2008-01-02 03:04:05 +02", "2008-01-02T01:04:05Z", sitemap.Second},
		{"2008-01-02T03:04:05 00:00", "2008-01-02T03:04:05Z", sitemap.Second}, // the + was decoded
		{"2008-01-02 03:04:05 UTC", "2008-01-02T03:04:05Z", sitemap.Second},
		{"2008-01-02 03:04", "2008-01-02T03:04:00Z", sitemap.Minute},
		{"2008-01-02  3:04:05", "2008-01-02T03:04:05Z", sitemap.Second},
		{"2008-01-02t03:04:05z", "2008-01-02T03:04:05Z", sitemap.Second},
		{"2008-01-02T03:04:05,5Z", "2008-01-02T03:04:05.5Z", sitemap.Fraction},
		{"2008-1-2", "2008-01-02T00:00:00Z", sitemap.Day},
		{"2008/01/02", "2008-01-02T00:00:00Z", sitemap.Day},
		{"2008.01.02", "2008-01-02T00:00:00Z", sitemap.Day},
		{"20080102", "2008-01-02T00:00:00Z", sitemap.Day},
		{"20080102T030405Z", "2008-01-02T03:04:05Z", sitemap.Second},
		{"20080102030405", "2008-01-02T03:04:05Z", sitemap.Second},
		{"2008-01-02T99:00:00Z", "2008-01-02T00:00:00Z", sitemap.Day},
		{"2008-01-02T03:99:00Z", "2008-01-02T00:00:00Z", sitemap.Day},
		{"2008-01-02T03:04:99Z", "2008-01-02T03:04:00Z", sitemap.Minute},
		{"2008-01-02T", "2008-01-02T00:00:00Z", sitemap.Day},
		{"2008-01-02T03:04:05+99:99", "2008-01-02T03:04:05Z", sitemap.Second},
		{"2015-10-08T07:18:53.846344Z 2015-06-15T15:33:55.288302Z", "2015-10-08T07:18:53.846344Z", sitemap.Fraction},
		{"1199243045", "2008-01-02T03:04:05Z", sitemap.Second},
		{"1199243045678", "2008-01-02T03:04:05.678Z", sitemap.Fraction},
		{"Wed, 02 Jan 2008 03:04:05 GMT", "2008-01-02T03:04:05Z", sitemap.Second},
		{"Wed, 2 Jan 2008 03:04:05 +0200", "2008-01-02T01:04:05Z", sitemap.Second},
		{"Wed, 02 Jan 2008 03:04:05 EST", "2008-01-02T08:04:05Z", sitemap.Second},
		{"02 Jan 08 03:04 PDT", "2008-01-02T10:04:00Z", sitemap.Second},

		// Texts that are not dates, or that programs without a date write.
		{"", "", sitemap.NoDate},
		{"0001-01-01T00:00:00+00:00", "", sitemap.NoDate},
		{"1970-01-01T00:00:00Z", "", sitemap.NoDate},
		{"Mon, 01 Jan 0001 00:00:00 +0000", "", sitemap.NoDate},
		{"0000-00-00", "", sitemap.NoDate},
		{"0000000000", "", sitemap.NoDate},
		{"2020-13-01", "", sitemap.NoDate},
		{"2020-02-30", "", sitemap.NoDate},
		{"2020-00-10", "", sitemap.NoDate},
		{"2020-1a", "", sitemap.NoDate},
		{"202", "", sitemap.NoDate},
		{"20201", "", sitemap.NoDate},
		{"99999999999", "", sitemap.NoDate},
		{"01/02/2020", "", sitemap.NoDate}, // the second of January, or the first of February
		{"yesterday", "", sitemap.NoDate},
		{"2020-", "", sitemap.NoDate},
		{"-2020-01-01", "", sitemap.NoDate},
	} {
		entries, _ := read(t, "<urlset><url><loc>http://example.com/</loc><lastmod> "+test.text+" </lastmod></url></urlset>", sitemap.Options{})
		if len(entries) != 1 {
			t.Fatal(entries)
		}
		got := ""
		if e := entries[0]; !e.LastMod.IsZero() {
			got = e.LastMod.Format(time.RFC3339Nano)
		}
		if got != test.want || entries[0].Precision != test.precision {
			t.Errorf("%q: got %q to the %v, want %q to the %v", test.text, got, entries[0].Precision, test.want, test.precision)
		}
	}
}
