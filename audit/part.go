package audit

import "github.com/robotsexclusion/robots/accesslog"

// A Part is what an auditor read: all requests, or some of them.
type Part struct{}

// Read reads logs with a number of workers.
func (a *Auditor) Read(scan *accesslog.Scan, workers int) (*Part, error) { return &Part{}, nil }

// Join adds what is in q to p, and leaves q empty.
func (p *Part) Join(q *Part) error { return nil }

// Report judges the requests of the part.
func (p *Part) Report() *Report { return &Report{} }
