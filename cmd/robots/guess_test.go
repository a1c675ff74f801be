package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/cli"
)

// TestGuesses types each verb that people guess, and checks the message and the exit status.
func TestGuesses(t *testing.T) {
	asked := make(map[string]bool)
	for _, test := range []struct{ line, want string }{
		{"check", "'robots lint robots.txt' finds mistakes, 'robots match robots.txt /x' asks about a URL"},
		{"check public/robots.txt", "'robots lint public/robots.txt' finds mistakes, " +
			"'robots match public/robots.txt /x' asks about a URL"},
		{"check --agent GPTBot example.com /a", "'robots lint example.com' finds mistakes, " +
			"'robots match --agent GPTBot example.com /a' asks about a URL"},
		{"check --profile=strict --frob r.txt", "'robots lint --profile=strict r.txt' finds mistakes, " +
			"'robots match r.txt /x' asks about a URL"},
		{"check --help", "'robots lint --help' finds mistakes, 'robots match --help' asks about a URL"},
		{"validate -", "'robots lint -' finds mistakes, 'robots match - /x' asks about a URL"},
		{"validate my;file.txt", `'robots lint "my;file.txt"' finds mistakes, ` +
			`'robots match "my;file.txt" /x' asks about a URL`},
		{"validate \x1b[31m.txt", `'robots lint "\x1b[31m.txt"' finds mistakes, ` +
			`'robots match "\x1b[31m.txt" /x' asks about a URL`},
		{"scan example.com", "'robots lint example.com' finds mistakes, " +
			"'robots lint --sitemaps example.com' checks the sitemaps of a site"},
		{"sitemaps example.com", "'robots lint --sitemaps example.com' checks the sitemaps of a site"},
		{"sitemap example.com", "'robots lint --sitemaps example.com' checks the sitemaps of a site"},
		{"sitemap public/map.xml", "'robots lint --sitemap public/map.xml robots.txt' checks the sitemaps of a site"},
		{"test GPTBot r.txt /a", "'robots match --agent GPTBot r.txt /a' asks about a URL, " +
			"'robots lint r.txt' finds mistakes, 'robots testweb' tests a whole robot"},
		{"allowed claude r.txt /a", "'robots match --agent claude r.txt /a' asks about a URL"},
		{"can", "'robots match robots.txt /x' asks about a URL"},
		{"why r.txt /a", "'robots match --why r.txt /a' shows all rules that match a URL, and why they win or lose"},
		{"fix", "'robots lint --fix robots.txt' makes safe fixes"},
		{"ai", "'robots match --agent ai-train robots.txt /' asks about the robots that fetch for training, " +
			"'robots block ai-train' closes a site to robots, " +
			"'robots agents --purpose ai-train' lists these robots"},
		{"bots access.log", "'robots agents' lists the robots that are known, 'robots audit --robots robots.txt " +
			"access.log' shows which robots visited, and whether they obeyed"},
		{"bots public/robots.txt", "'robots agents' lists the robots that are known, 'robots audit --robots " +
			"public/robots.txt access.log' shows which robots visited, and whether they obeyed"},
		{"why GPTBot /a", "'robots match --why --agent GPTBot robots.txt /a' " +
			"shows all rules that match a URL, and why they win or lose"},
		{"why GPTBot https://example.com/a?b", "'robots match --why --agent GPTBot https://example.com \"/a?b\"' " +
			"shows all rules that match a URL, and why they win or lose"},
		{"can /srv/www/robots.txt", "'robots match /srv/www/robots.txt /x' asks about a URL"},
		{"index robots.txt", "'robots page https://example.com/' shows whether a page may be indexed, " +
			"'robots search WORD' searches the pages of a crawl"},
		{"logs /var/log/a.log", "'robots audit --robots robots.txt /var/log/a.log' " +
			"shows which robots visited, and whether they obeyed"},
		{"report example.com", "'robots example.com' prints a report card, 'robots lint example.com' finds mistakes"},
		{"report --help", "'robots --help' prints a report card, 'robots audit --help' " +
			"shows which robots visited, and whether they obeyed, 'robots lint --help' finds mistakes"},
		{"report", "'robots robots.txt' prints a report card, 'robots audit --robots robots.txt access.log' " +
			"shows which robots visited, and whether they obeyed, 'robots lint robots.txt' finds mistakes"},
		{"convert r.txt", "'robots export nginx --out nginx r.txt' " +
			"writes the configuration of a web server that enforces robots.txt"},
		{"index page.html", "'robots page page.html' shows whether a page may be indexed, " +
			"'robots search WORD' searches the pages of a crawl"},
		{"verify 192.0.2.1", "'robots agents verify 192.0.2.1' " +
			"verifies that an address is that of a robot, " +
			"'robots prove --claims robots.claims robots.txt' proves claims about robots.txt"},
		{"report access.log", "'robots audit --robots robots.txt access.log' " +
			"shows which robots visited, and whether they obeyed"},
		{"check googlebot /search", "'robots lint robots.txt' finds mistakes, " +
			"'robots match --agent googlebot robots.txt /search' asks about a URL"},
		{"test /search", "'robots match robots.txt /search' asks about a URL, " +
			"'robots lint robots.txt' finds mistakes, 'robots testweb' tests a whole robot"},
		{"verify googlebot 66.249.66.7", "'robots agents verify --agent googlebot 66.249.66.7' " +
			"verifies that an address is that of a robot, " +
			"'robots prove --claims robots.claims robots.txt' proves claims about robots.txt"},
		{"is GPTBot allowed to read /a", "'robots match --agent GPTBot robots.txt /a' asks about a URL, " +
			"'robots agents GPTBot' shows what is known of a robot"},
		{"can the ai crawl /a", "'robots match --agent ai-train robots.txt /a' asks about a URL"},
		{"list ai", "'robots agents' lists the robots that are known"},
		{"log a.log", "'robots audit --robots robots.txt a.log' shows which robots visited, and whether they obeyed"},
		{"ip 192.0.2.1", "'robots agents verify 192.0.2.1' " +
			"verifies that an address is that of a robot"},
		{"watch example.org", "'robots monitor example.org' watches the robots.txt of sites"},
		{"proxy", "'robots guard' enforces robots.txt before a web server"},
		{"merge a.txt b.txt", "'robots build a.txt b.txt' joins files to a robots.txt"},
		{"bot ccbot", "'robots agents ccbot' shows what is known of a robot"},
		{"get example.org", "'robots fetch example.org' fetches the robots.txt of a site"},
		{"whois ccbot", "'robots agents ccbot' shows what is known of a robot, " +
			"'robots agents verify --agent ccbot 66.249.66.1' verifies that an address is that of a robot"},
		{"lookup 192.0.2.1", "'robots agents GPTBot' shows what is known of a robot, " +
			"'robots agents verify 192.0.2.1' verifies that an address is that of a robot"},
		{"stop scrapers", "'robots block ai-train' closes a site to robots"},
		{"forbid ccbot /x", "'robots build --block ccbot=/x robots.txt' closes a site to robots"},
		{"remove ccbot", "'robots block ccbot' closes a site to robots, 'robots allow ccbot' opens a site to " +
			"robots, 'robots minimize robots.txt' leaves out lines without an effect"},
		{"stats a.log", "'robots audit a.log' shows which robots visited"},
		{"analyze a.log", "'robots audit --robots robots.txt a.log' " +
			"shows which robots visited, and whether they obeyed"},
		{"minify r.txt", "'robots minimize r.txt' leaves out lines without an effect"},
		{"limit gptbot", "'robots block gptbot' closes a site to robots, " +
			"'robots guard' enforces robots.txt before a web server"},
		{"unblock all", "'robots allow \"*\"' opens a site to robots"},
		{"unblock GPTBot", "'robots allow GPTBot' opens a site to robots"},
		{"ban --yes --frob GPTBot CCBot r.txt",
			"'robots block --yes --file r.txt GPTBot CCBot' closes a site to robots"},
		{"deny GPTBot from /a /b",
			"'robots build --block GPTBot=/a --block GPTBot=/b robots.txt' closes a site to robots"},
		{"open", "'robots allow ai-train' opens a site to robots"},
		{"close", "'robots block ai-train' closes a site to robots"},
		{"ban", "'robots block ai-train' closes a site to robots"},
		{"deny", "'robots block ai-train' closes a site to robots"},
		{"disallow", "'robots block ai-train' closes a site to robots"},
		{"compare example.com new.txt", "'robots diff example.com new.txt' shows what a change closes and opens"},
		{"show r.txt", "'robots r.txt' prints a report card"},
		{"who a.log", "'robots audit a.log' shows which robots visited, " +
			"'robots agents GPTBot' shows what is known of a robot"},
		{"who is claudebot", "'robots audit access.log' shows which robots visited, " +
			"'robots agents claudebot' shows what is known of a robot"},
		{"scan /var/log/access.log", "'robots audit /var/log/access.log' shows which robots visited"},
		{"scan error_log", "'robots audit error_log' shows which robots visited"},
		{"scan", "'robots lint robots.txt' finds mistakes, 'robots lint --sitemaps example.com' checks the " +
			"sitemaps of a site, 'robots audit access.log' shows which robots visited"},
		{"nginx r.txt", "'robots export nginx --out nginx r.txt' " +
			"writes the configuration of a web server that enforces robots.txt"},
		{"apache", "'robots export apache --out apache robots.txt' " +
			"writes the configuration of a web server that enforces robots.txt"},
		{"htaccess", "'robots export apache --out apache robots.txt' " +
			"writes the configuration of a web server that enforces robots.txt"},
		{"enforce", "'robots guard' enforces robots.txt before a web server, 'robots export nginx --out nginx " +
			"robots.txt' writes the configuration of a web server that enforces robots.txt"},
		{"protect", "'robots guard' enforces robots.txt before a web server, 'robots export nginx --out nginx " +
			"robots.txt' writes the configuration of a web server that enforces robots.txt, " +
			"'robots block ai-train' closes a site to robots"},
		{"init", "'robots block ai-train' closes a site to robots, and creates robots.txt if there is none"},
		{"new", "'robots block ai-train' closes a site to robots, and creates robots.txt if there is none"},
		{"create public/robots.txt", "'robots block --file public/robots.txt ai-train' closes a site to robots, " +
			"and creates robots.txt if there is none"},
		{"generate", "'robots block ai-train' closes a site to robots, and creates robots.txt if there is none"},
		{"slow bingbot", "'robots guard' enforces robots.txt before a web server"},
		{"throttle", "'robots guard' enforces robots.txt before a web server"},
		{"crawl-delay 10", "write the line 'Crawl-delay: 10' below the User-agent line of the robots that it is " +
			"for; 'robots match --records robots.txt' shows the Crawl-delay that a robot reads, " +
			"'robots guard' enforces robots.txt before a web server"},
		{"delay bingbot 10", "write the line 'Crawl-delay: 10' below the User-agent line of the robots that it is " +
			"for; " +
			"'robots match --records --agent bingbot robots.txt' shows the Crawl-delay that a robot reads, " +
			"'robots guard' enforces robots.txt before a web server"},
		{"noindex a.html", "'robots page a.html' shows whether a page may be indexed"},
		{"history example.org", "'robots fetch --history --cache FOLDER example.org' " +
			"shows the versions that 'robots fetch --cache FOLDER' kept"},
		{"when", "'robots fetch --history --cache FOLDER example.com' " +
			"shows the versions that 'robots fetch --cache FOLDER' kept"},
		{"changes a.txt b.txt", "'robots diff a.txt b.txt' shows what a change closes and opens"},
		{"does GPTBot read my site", "'robots match --agent GPTBot robots.txt /x' asks about a URL, " +
			"'robots agents GPTBot' shows what is known of a robot"},
		{"may ccbot fetch /a", "'robots match --agent ccbot robots.txt /a' asks about a URL"},
		{"optout", "'robots block ai-train' closes a site to robots"},
		{"opt-out openai", "'robots block openai' closes a site to robots"},
		{"claim", "'robots prove --claim \"GPTBot may not fetch /\" robots.txt' proves claims about robots.txt"},
		{"assert", "'robots prove --claim \"GPTBot may not fetch /\" robots.txt' proves claims about robots.txt"},
		{"ci", "'robots lint --format github robots.txt' finds mistakes, for a step of GitHub Actions"},
		{"disallow /feed", "'robots build --block \"*=/feed\" robots.txt' closes a site to robots"},
		{"visitors", "'robots audit access.log' shows which robots visited"},
		{"format r.txt", "'robots fmt --write r.txt' formats a file"},
		{"rules", "'robots robots.txt' prints a report card, 'robots match robots.txt /x' asks about a URL"},
		{"explain other.txt", "'robots other.txt' prints a report card, 'robots match other.txt /x' asks about a " +
			"URL, 'robots lint --explain' explains the checks"},
		{"what", "'robots robots.txt' prints a report card, 'robots match robots.txt /x' asks about a URL"},
		{"blocked", "'robots match robots.txt /x' asks about a URL, 'robots robots.txt' prints a report card"},
		{"seo other.txt", "'robots lint --profile seo other.txt' finds what matters for being found, 'robots page " +
			"other.txt' shows whether a page may be indexed"},
		{"indexable a.html", "'robots page a.html' shows whether a page may be indexed"},
		{"indexed", "'robots page https://example.com/' shows whether a page may be indexed"},
		{"add Disallow:", "robots.txt is a text file: write other lines into it with an editor, and 'robots lint' " +
			"checks them; 'robots block ai-train' closes a site to robots, and creates robots.txt if there is none"},
		{"set", "robots.txt is a text file: write other lines into it with an editor, and 'robots lint' checks " +
			"them; 'robots block ai-train' closes a site to robots, and creates robots.txt if there is none"},
		{"edit", "robots.txt is a text file: write other lines into it with an editor, and 'robots lint' checks " +
			"them; 'robots block ai-train' closes a site to robots, and creates robots.txt if there is none"},
		{"deploy", "robots changes files only: publish robots.txt as the other files of the site, so that it is at " +
			"/robots.txt; 'robots diff example.com robots.txt' shows what a change closes and opens"},
		{"publish robots.txt", "robots changes files only: publish robots.txt as the other files of the site, so " +
			"that it is at /robots.txt; 'robots diff example.com robots.txt' shows what a change closes and opens"},
		{"upload", "robots changes files only: publish robots.txt as the other files of the site, so that it is at " +
			"/robots.txt; 'robots diff example.com robots.txt' shows what a change closes and opens"},
		{"undo", "robots keeps no older files: git or a backup has them; 'robots allow ai-train' opens a site to " +
			"robots"},
		{"revert", "robots keeps no older files: git or a backup has them; 'robots allow ai-train' opens a site to " +
			"robots"},
		{"restore", "robots keeps no older files: git or a backup has them; 'robots fetch --history --cache FOLDER " +
			"example.com' shows the versions that 'robots fetch --cache FOLDER' kept"},
		{"spider http://x.example/", "'robots crawl --user-agent \"NAME/1.0 (+https://...)\" http://x.example/' " +
			"fetches the pages of a site"},
		{"scrape example.com", "'robots crawl --user-agent \"NAME/1.0 (+https://...)\" example.com' fetches the " +
			"pages of a site"},
		{"download example.com", "'robots fetch example.com' fetches the robots.txt of a site, 'robots crawl " +
			"--user-agent \"NAME/1.0 (+https://...)\" example.com' fetches the pages of a site"},
		{"find garden", "'robots search garden' searches the pages of a crawl, 'robots agents garden' shows what " +
			"is known of a robot"},
		{"grep garden", "'robots search garden' searches the pages of a crawl"},
		{"testbot", "'robots testweb -- COMMAND' tests how polite a robot is"},
		{"polite", "'robots testweb -- COMMAND' tests how polite a robot is"},
		{"update", "doc/install.md in the repository, https://github.com/robotsexclusion/robots, says how to " +
			"install and update the programs"},
		{"upgrade", "doc/install.md in the repository, https://github.com/robotsexclusion/robots, says how to " +
			"install and update the programs"},
		{"install", "doc/install.md in the repository, https://github.com/robotsexclusion/robots, says how to " +
			"install and update the programs"},
		{"info GPTBot", "'robots agents GPTBot' shows what is known of a robot, 'robots robots.txt' prints a " +
			"report card"},
		{"user-agent GPTBot", "'robots agents GPTBot' shows what is known of a robot"},
		{"contact GPTBot", "'robots agents GPTBot' shows what is known of a robot"},
		{"real 192.0.2.7", "'robots agents verify 192.0.2.7' verifies that an address is that of a robot"},
		{"dns 192.0.2.7", "'robots agents verify 192.0.2.7' verifies that an address is that of a robot"},
		{"fake a.log", "'robots audit --verify a.log' shows which robots are not who they claim to be"},
		{"forged", "'robots audit --verify access.log' shows which robots are not who they claim to be"},
		{"spoofed", "'robots audit --verify access.log' shows which robots are not who they claim to be"},
		{"tail a.log", "'robots audit --follow --robots robots.txt a.log' prints violations as they are logged, as " +
			"fail2ban reads them"},
		{"live", "'robots audit --follow --robots robots.txt access.log' prints violations as they are logged, as " +
			"fail2ban reads them"},
		{"follow", "'robots audit --follow --robots robots.txt access.log' prints violations as they are logged, " +
			"as fail2ban reads them"},
		{"hook", "doc/tutorial.md in the repository, https://github.com/robotsexclusion/robots, has the lines for " +
			"pre-commit"},
		{"pre-commit", "doc/tutorial.md in the repository, https://github.com/robotsexclusion/robots, has the " +
			"lines for pre-commit"},
		{"sort a.txt", "'robots fmt --write a.txt' formats a file"},
		{"clean a.txt", "'robots minimize a.txt' leaves out lines without an effect, 'robots fmt --write a.txt' " +
			"formats a file"},
		{"dedupe", "'robots minimize robots.txt' leaves out lines without an effect"},
		{"simplify", "'robots minimize robots.txt' leaves out lines without an effect"},
		{"join a.txt b.txt", "'robots build a.txt b.txt' joins files to a robots.txt"},
		{"cat", "'robots build robots.d' joins files to a robots.txt"},
		{"letter", "'robots audit --robots robots.txt --incident GPTBot access.log' writes a letter to the " +
			"operator of a robot"},
		{"complain GPTBot", "'robots audit --robots robots.txt --incident GPTBot access.log' writes a letter to " +
			"the operator of a robot"},
		{"abuse", "'robots audit --robots robots.txt --incident GPTBot access.log' writes a letter to the operator " +
			"of a robot"},
		{"fail2ban a.log", "'robots audit --follow --robots robots.txt a.log' prints violations as they are " +
			"logged, as fail2ban reads them"},
		{"waf", "'robots guard' enforces robots.txt before a web server, 'robots export nginx --out nginx " +
			"robots.txt' writes the configuration of a web server that enforces robots.txt"},
		{"cloudflare", "'robots guard' enforces robots.txt before a web server"},
		{"traefik", "'robots guard' enforces robots.txt before a web server"},
		{"iis", "'robots guard' enforces robots.txt before a web server"},
		{"caddy a.txt", "'robots export caddy --out caddy a.txt' writes the configuration of a web server that " +
			"enforces robots.txt"},
		{"haproxy", "'robots export haproxy --out haproxy robots.txt' writes the configuration of a web server " +
			"that enforces robots.txt"},
		{"varnish", "'robots export varnish --out varnish robots.txt' writes the configuration of a web server " +
			"that enforces robots.txt"},
		{"alert example.org", "'robots monitor example.org' watches the robots.txt of sites"},
		{"notify", "'robots monitor example.com' watches the robots.txt of sites"},
		{"help check", "'robots lint --help' finds mistakes, 'robots match --help' asks about a URL"},
	} {
		args := strings.Split(test.line, " ")
		word := args[0]
		if word == "help" {
			word = args[1]
		}
		asked[word] = true
		want := "robots: there is no verb \"" + word + "\": " + test.want + "\nrobots: see 'robots help'\n"
		var out, errs bytes.Buffer
		root := newRoot()
		root.SetArgs(args)
		root.SetOut(&out)
		root.SetErr(&errs)
		if status := cli.Run(root); status != cli.StatusFailed || out.Len() > 0 || errs.String() != want {
			t.Errorf("robots %s: status %d, %s%s\nwant %s", test.line, status, &out, &errs, want)
		}
	}
	for _, g := range guesses {
		if !asked[g.word] {
			t.Errorf("the test does not ask for %s", g.word)
		}
	}
}

// TestGuessesLeadToVerbs checks that what a guess leads to is a command line that the verb takes.
func TestGuessesLeadToVerbs(t *testing.T) {
	for _, g := range guesses {
		for _, s := range g.instead {
			root := newRoot()
			verb, args, err := root.Find(s.line(root, nil)[1:])
			if err != nil || verb.Hidden {
				t.Errorf("%s: %s is not a verb: %v", g.word, s.verb, err)
				continue
			}
			if verb.DisableFlagParsing {
				continue // another program has the verb
			}
			if err := verb.ParseFlags(args); err != nil {
				t.Errorf("%s: %s: %v", g.word, s.verb, err)
			} else if err := verb.ValidateArgs(verb.Flags().Args()); err != nil {
				t.Errorf("%s: %s: %v", g.word, s.verb, err)
			}
		}
	}
}

// TestGuessesAreNotCompleted checks that help and shells do not have the words.
func TestGuessesAreNotCompleted(t *testing.T) {
	for _, args := range [][]string{{"__complete", ""}, {"__complete", "help", ""}, {"help"}} {
		var out bytes.Buffer
		root := newRoot()
		root.SetArgs(args)
		root.SetOut(&out)
		root.SetErr(new(bytes.Buffer))
		cli.Run(root)
		for _, g := range guesses {
			for line := range strings.Lines(out.String()) {
				if words := strings.Fields(line); len(words) > 0 && words[0] == g.word {
					t.Errorf("robots %s has %s", args, g.word)
				}
			}
		}
	}
}
