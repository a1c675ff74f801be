package lint

import (
	"cmp"
	"slices"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
)

// Options select the checks and the language. The zero Options run the checks of the profile
// Recommended, and report in English.
type Options struct {
	Profile Profile  // the checks that run; "" is Recommended
	Enable  []string // the names of additional checks; [Find] knows the names
	Disable []string // the names of checks that do not run, even if enabled

	// Language is the language of messages: a code of ISO 639-1 (en, es, ko or ru), or the
	// value of an environment variable such as LANG ("es_MX.UTF-8"). Any other value means
	// English.
	Language string

	// Robots is the table of known robots; nil is the table of package agent.
	Robots *agent.Table

	// Limit is the maximum number of diagnostics per check; 0 means 100. Further diagnostics
	// are counted in Report.Omitted.
	Limit int

	// Origin is the origin of the file, such as "https://example.com", if known.
	Origin string

	// Response is the server's answer for the file, if the file was fetched.
	Response *Response

	// Sitemaps are sitemaps of the site with their URLs, which are checked against the rules.
	Sitemaps []Sitemap
}

const defaultLimit = 100

// runs reports whether a check is selected.
func (o *Options) runs(c *Check) bool {
	return (c.in(o.Profile) || slices.Contains(o.Enable, c.Name)) && !slices.Contains(o.Disable, c.Name)
}

// A Report has the findings of the checks in a file. Do not modify a Report.
type Report struct {
	Policy      *robots.Policy // the checked policy
	Diagnostics []Diagnostic   // in the order of the file
	Omitted     []Omission     // omitted because of Options.Limit, in the order of the checks

	options Options
}

// An Omission counts omitted diagnostics.
type Omission struct {
	Check *Check
	Count int // number of diagnostics beyond the limit
}

// Count returns the number of diagnostics with at least this severity. Omitted diagnostics
// count with the severity of their check.
func (r *Report) Count(least Severity) (n int) {
	for i := range r.Diagnostics {
		if r.Diagnostics[i].Severity >= least {
			n++
		}
	}
	for _, o := range r.Omitted {
		if o.Check.Severity >= least {
			n += o.Count
		}
	}
	return n
}

// Run checks a file. Run never fails. It takes time linear in the file, and memory linear in
// the findings. The file is read according to RFC 9309, in every dialect of the policy.
func Run(policy *robots.Policy, o Options) *Report {
	policy = policy.In(robots.RFC9309)
	o.Profile = cmp.Or(o.Profile, Recommended)
	report := &Report{Policy: policy, options: o}
	if o.Limit <= 0 {
		o.Limit = defaultLimit
	}
	f := newFile(policy, o)
	f.find = Find
	for _, c := range Checks() {
		silent := !o.runs(c)
		if silent && !(o.runs(redundantRule) && c.Severity >= Warning) {
			continue // redundant-rule compares everything that the others report
		}
		p := &pass{file: f, check: c, silent: silent}
		f.passes = append(f.passes, p)
		c.run(p)
	}
	f.read()
	for _, p := range f.passes {
		if p.silent {
			continue
		}
		for i := range p.found {
			if fix := p.found[i].Fix; fix != nil {
				fix.Effect = cmp.Or(fix.Effect, Keeps) // checks set the other effects
			}
		}
		report.Diagnostics = append(report.Diagnostics, p.found...)
		if p.omitted > 0 {
			report.Omitted = append(report.Omitted, Omission{p.check, p.omitted})
		}
	}
	slices.SortStableFunc(report.Diagnostics, func(a, b Diagnostic) int {
		return cmp.Or(a.Line-b.Line, a.Column-b.Column)
	})
	return report
}
