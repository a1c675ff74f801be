// A crawler on the package crawler that follows every link. The package knows no robots.txt.
import Crawler from "crawler";

const polite = process.argv[2] === "polite" && {
	rateLimit: 2000,
	userAgents: ["TrialBot/1.0 (+https://example.org/robot)"],
	headers: { From: "trial@example.org" },
};
const seen = new Set();
const crawler = new Crawler({
	...polite,
	callback: (error, response, done) => {
		if (!error && response.$) {
			response.$("a[href]").each((_, a) => add(response.$(a).attr("href"), response.options.url));
		}
		done();
	},
});

function add(link, base) {
	if (!URL.canParse(link, base)) return;
	const url = new URL(link, base);
	url.hash = "";
	if (!url.protocol.startsWith("http") || seen.has(url.href)) return;
	seen.add(url.href);
	crawler.add(url.href);
}
add(process.env.START);
