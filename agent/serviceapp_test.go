package agent_test

import (
	"testing"

	"github.com/robotsexclusion/robots/agent"
)

// The app with the name of a service is on the device of a person, and the robot of the service is
// not.
func TestAppsOfServices(t *testing.T) {
	const phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) " +
		"Mobile/15E148 "
	for header, device := range map[string]bool{
		"Inoreader/8.0 (iOS app)":                              true,
		"Inoreader/8.0 (Android app)":                          true,
		"Feedly/81.0.1 CFNetwork/1494.0.7 Darwin/23.4.0":       true,
		"Feedly/5.0 (iPad; iOS 17.5; Scale/2.00)":              true,
		"Feedbin/2.5 (iOS; macOS)":                             true,
		"Bluesky/1.97 CFNetwork/1494.0.7 Darwin/23.4.0":        true,
		"Mastodon/2024.5 (Android 14) Dalvik/2.1.0":            true,
		phone + "Feedly/90":                                    true,
		phone + "Bluesky/1.90":                                 true,
		phone + "(compatible; Feedly/90)":                      false,
		phone + "Feedly/90 (+https://feedly.com/fetcher.html)": false,
		phone + "Twitterbot/1.0":                               false,
		phone + "Googlebot/2.1":                                false,
		phone + "PerplexityBot/1.0":                            false,
		"Googlebot/2.1 CFNetwork/1494.0.7 Darwin/23.4.0":       false,
		"facebookexternalhit/1.1 (iPhone)":                     false,
		"Feedly/1.0 (+http://www.feedly.com/fetcher.html; 12 subscribers; like FeedFetcher-Google)": false,
		"Inoreader/1.0 (+http://www.inoreader.com/feed-fetcher; 12 subscribers; )":                  false,
		"Inoreader/1.0 (iOS app; 12 subscribers)":                                                   false,
		"Feedbin feed-id:1234567 - 5 subscribers":                                                   false,
		"http.rb/5.2.0 (Mastodon/4.3.0; +https://mas.to/)":                                          false,
		"Mozilla/5.0 (compatible; inoreader.com; 5 subscribers)":                                    false,
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Iframely/1.3":         false,
	} {
		if a := agent.Lookup(header); !a.Known() || a.Kind != agent.Robot || a.Device != device {
			t.Errorf("%s: got %s %s, a device: %v", header, a.Kind, a.Token, a.Device)
		}
	}
}
