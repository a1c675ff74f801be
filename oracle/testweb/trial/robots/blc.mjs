// broken-link-checker's SiteChecker, which keeps to one site: each exercise is a site of its own.
import { readFileSync } from "node:fs";
import blc from "broken-link-checker";

const polite = process.argv[2] === "polite" && {
	maxSockets: 1,
	rateLimit: 2000,
	userAgent: "broken-link-checker/0.7.8 (+https://example.org/robot)",
};
const sites = new blc.SiteChecker({ ...polite }, {});
for (const url of readFileSync(process.env.SEEDS, "utf8").split("\n")) {
	if (url) sites.enqueue(url);
}
