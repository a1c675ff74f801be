package agent_test

import (
	"testing"

	"github.com/robotsexclusion/robots/agent"
)

// The app of a service that reads feeds is on the device of a person, and the service is not.
func TestAppsOfFeedServices(t *testing.T) {
	for header, device := range map[string]bool{
		"Inoreader/8.0 (iOS app)":     true,
		"Inoreader/1.0 (Android app)": true,
		"Inoreader/1.0 (+http://www.inoreader.com/feed-fetcher; 12 subscribers; )":              false,
		"Inoreader/1.0 (iOS app; 12 subscribers)":                                               false,
		"Inoreader/1.0 (iOS app; +https://www.inoreader.com/feed-fetcher)":                      false,
		"Mozilla/5.0 (compatible; inoreader.com; 5 subscribers)":                                false,
		"Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 (KHTML, like Gecko) Inoreader/1.0 (iOS app)": false,
	} {
		if a := agent.Lookup(header); a.Token != "inoreader.com" || a.Device != device {
			t.Errorf("%s: got %s, a device: %v", header, a.Token, a.Device)
		}
	}
}
