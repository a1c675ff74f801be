package crawl_test

import (
	"context"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/corpus"
	"github.com/robotsexclusion/robots/internal/wild"
)

// TestWild crawls a hostile web completely, and its servers keep the score.
func TestWild(t *testing.T) {
	t.Parallel()
	o := wild.Options{Hosts: 25, Scale: 0.01, Token: "TestBot", Kinds: quickKinds(), Texts: quickTexts()}
	if corpus.All() {
		o.Hosts = 300
	}
	web, err := wild.Start(t.Context(), o)
	if err != nil {
		t.Skip(err)
	}
	defer web.Close()
	ch := &child{Dir: t.TempDir(), NameServer: web.NameServer(), Allowed: web.Allowed()}
	c := ch.crawler()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	summary, err := c.Run(ctx, web.Seeds()...)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", summary)
	if !summary.Finished {
		t.Error("it did not finish")
	}
	for i, v := range web.Check(wild.CheckOptions{MinDelay: wildDelay, MaxOpen: 4, Whole: true, Sitemaps: true, Slack: 10 * time.Second}) {
		if i == 40 {
			break
		}
		t.Error(v)
	}
}

// quickTexts are the robots.txt files of the wild web but those that take time: where
// robots.txt comes only when it is asked for again, a minute later, where it is not the
// time of the day for visits, and if not all tests are asked for, where it comes slowly.
func quickTexts() (names []string) {
	for _, text := range wild.Texts() {
		switch text.Name {
		case "late", "too-many", "down", "broken-off", "closed-hours":
		case "dripping":
			if corpus.All() {
				names = append(names, text.Name)
			}
		default:
			names = append(names, text.Name)
		}
	}
	return names
}

// quickKinds are the hosts of the wild web but those that take time, unless all tests
// are asked for: where a robot waits until its patience is at an end.
func quickKinds() (names []string) {
	for _, kind := range wild.Kinds() {
		switch kind.Name {
		case "slow", "dripping", "stalling", "hole":
			if corpus.All() {
				names = append(names, kind.Name)
			}
		default:
			names = append(names, kind.Name)
		}
	}
	return names
}
