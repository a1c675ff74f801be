package export

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/export/internal/headerregex"
)

// nginxKey is the group of an expression that is the name of a robot. nginx has one variable for
// all sites, which is used right after the expression.
const nginxKey = `(?<robots_name>[^/;(),+]{1,60})`

// paces writes the zones of the paces, and returns the directives of the server block. nginx
// answers 403 before it counts a request.
func (w *nginxWriter) paces(q *plan) (server string, err error) {
	if q == nil {
		return "", nil
	}
	headers, err := q.paceHeaders(nginxKey, nginxSyntax.Limit)
	if err != nil {
		return "", err
	}
	key, class := w.variable("key"), w.paceClass(q, headers)
	w.printf("map $http_user_agent %s {\n  default \"\";\n", key)
	for _, e := range headers.keys {
		w.printf("  \"~*%s\" $robots_name;\n", e)
	}
	w.printf("  \"~^(?<robots_name>.{1,100})\" $robots_name;\n}\n")
	var retries, zones strings.Builder
	for i, l := range q.limits {
		v := w.variable(fmt.Sprint("key", i))
		w.printf("map %s %s { default \"\"; %d %s; }\n", class, v, i, key)
		longest, size := time.Duration(0), "128k" // a few hundred robots
		if i == q.everyone {
			size = "1m"
		}
		if l.pause > 0 {
			longest = w.zone(&zones, v, fmt.Sprint(i, "d"), size, l.pause, 1)
		}
		if l.documents > 0 {
			pause := l.period / time.Duration(l.documents)
			longest = max(longest, w.zone(&zones, v, fmt.Sprint(i, "r"), size, pause, l.documents))
		}
		fmt.Fprintf(&retries, "%d %d; ", i, int64(math.Ceil(longest.Seconds())))
	}
	retry := w.variable("retry")
	w.printf("map %s %s { default \"\"; %s}\n", class, retry, retries.String())
	return fmt.Sprintf(`# Slows robots that are faster than robots.txt asks.
limit_req_status 429;
%[1]serror_page 429 @robots_%[3]s_slow;
location @robots_%[3]s_slow { add_header Retry-After %[2]s always; return 429; }
`, zones.String(), retry, w.site), nil
}

// zone writes a zone with a pause between requests, and its directive, which lets some come early.
// It returns the pause that nginx enforces.
func (w *nginxWriter) zone(server *strings.Builder, key, name, size string, pause time.Duration,
	early int) time.Duration {
	rate, enforced := nginxRate(pause)
	zone := "robots_" + w.site + "_" + name
	w.printf("limit_req_zone %s zone=%s:%s rate=%dr/m;\n", key, zone, size, rate)
	fmt.Fprintf(server, "limit_req zone=%s burst=%d nodelay;\n", zone, early)
	if enforced < pause*9/10 {
		note := fmt.Sprintf("nginx counts whole requests a minute, "+
			"so it enforces a pause of %v as %v; nginx-lua is exact", pause, enforced.Round(100*time.Millisecond))
		if !slices.Contains(w.notes, note) {
			w.notes = append(w.notes, note)
		}
	}
	return enforced
}

// nginxRate returns the requests a minute of a zone, and the pause that nginx makes of it. nginx
// counts thousandths of a request in a second, rounded down. The pause is not longer than the one
// that robots.txt asks for, unless a minute is too short for it.
func nginxRate(pause time.Duration) (rate int, enforced time.Duration) {
	for rate = 1; ; rate++ {
		thousandths := rate * 1000 / 60
		if enforced = time.Second * 1000 / time.Duration(thousandths); enforced <= pause || rate >= 60000 {
			return rate, enforced
		}
	}
}

// paceClass writes the variable with the index of the limit of a request, or "n", and returns it.
// /robots.txt and /.well-known/ are free, and so is what an exception covers.
func (w *nginxWriter) paceClass(q *plan, headers *paceHeaders) string {
	value := q.paceClass
	other := "n"
	if len(headers.Other) > 0 {
		w.header("pace_other", "n", headers.Other, value)
		other = w.variable("pace_other")
	}
	named := other
	if len(headers.Quick) > 0 {
		w.header("pace_named", "0", headers.Quick, func(headerregex.Class) string { return "1" })
		w.header("pace_exact", "u", headers.Exact, value)
		w.printf("map %[1]s %[2]s { default %[1]s; u %[3]s; }\nmap %[4]s %[5]s { 0 %[3]s; 1 %[2]s; }\n",
			w.variable("pace_exact"), w.variable("pace_own"), other, w.variable("pace_named"), w.variable("pace_class"))
		named = w.variable("pace_class")
	}
	w.printf("map $http_user_agent %s { default %s; \"~%s\" n; }\n", w.variable("pace_client"), named,
		headerregex.CommonBrowsers)
	w.printf("map $request_uri %s { default %s; \"~^/(?:robots\\.txt(?:\\?|\\z)|\\.well\\x2dknown/)\" n; }\n",
		w.variable("pace_target"), w.variable("pace_client"))
	w.printf("map %s %s { default n; 1 %s; }\n", w.variable("judged"), w.variable("pace"), w.variable("pace_target"))
	return w.variable("pace")
}
