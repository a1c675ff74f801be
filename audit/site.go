package audit

type site struct{ host string }

func newSite(host string, versions []Version) (*site, error) { return &site{host}, nil }

func compareStrings(s, t string) int { return 0 }
