// simplecrawler, which follows links by itself; it is let go to other hosts.
import Crawler from "simplecrawler";

const crawler = new Crawler(process.env.START);
crawler.filterByDomain = false;
if (process.argv[2] === "polite") {
	crawler.interval = 2000;
	crawler.maxConcurrency = 1;
	crawler.maxDepth = 5;
	crawler.timeout = 60000;
	crawler.userAgent = "TrialBot/1.0 (+https://example.org/robot)";
}
crawler.start();
