package lint

import (
	"cmp"
	"slices"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
)

// Options says what to look for. The zero Options run the checks of the profile
// Recommended, and speak English.
type Options struct {
	Profile Profile  // the checks that run; "" is Recommended
	Enable  []string // the names of checks that run besides; [Find] knows names
	Disable []string // the names of checks that do not run, even if enabled

	// Language is the language of messages by its code in ISO 639-1: en, es, ko or ru; or
	// what an environment variable such as LANG has, as "es_MX.UTF-8". Any other one is
	// English.
	Language string

	// Robots are those that checks know by name; nil is the table of package agent.
	Robots *agent.Table

	// Limit is how many diagnostics a check may have; 0 means 100. More are
	// counted in Report.Omitted.
	Limit int

	// Origin is where the file is served, such as "https://example.com", if that is
	// known.
	Origin string

	// Response is how the server answered for the file, if it was fetched.
	Response *Response

	// Sitemaps are sitemaps of the site with the URLs that they list, which are held
	// against the rules.
	Sitemaps []Sitemap
}

const defaultLimit = 100

// runs reports whether a check runs.
func (o *Options) runs(c *Check) bool {
	return (c.in(o.Profile) || slices.Contains(o.Enable, c.Name)) && !slices.Contains(o.Disable, c.Name)
}

// A Report is what the checks found in a file. It is not to be modified.
type Report struct {
	Policy      *robots.Policy // that was looked at
	Diagnostics []Diagnostic   // in the order of the file
	Omitted     []Omission     // what was left out because of Options.Limit, in the order of the checks

	options Options
}

// An Omission tells of diagnostics that were left out.
type Omission struct {
	Check *Check
	Count int // of the diagnostics beyond the limit
}

// Count returns the number of diagnostics that are at least so severe. Those
// that were left out count as much as their check is severe.
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

// Run looks for mistakes in a file. It never fails, takes time linear in the
// file, and memory linear in what it finds. The file is read as RFC 9309 says,
// whatever the dialect of the policy.
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
			continue // redundant-rule asks what all others would say
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
				fix.Effect = cmp.Or(fix.Effect, Keeps) // checks name the others
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
