// A crawler on Crawlee's CheerioCrawler that follows every link.
import { CheerioCrawler } from "@crawlee/cheerio";

const polite = process.argv[2] === "polite" && {
	respectRobotsTxtFile: { userAgent: "TrialBot" },
	sameDomainDelaySecs: 2,
	maxCrawlDepth: 5,
	maxConcurrency: 10,
	useSessionPool: false,
	preNavigationHooks: [
		(context, got) => {
			got.useHeaderGenerator = false;
			got.headers = { "user-agent": "TrialBot/1.0 (+https://example.org/robot)", from: "trial@example.org" };
		},
	],
};

await new CheerioCrawler({
	...polite,
	requestHandler: ({ enqueueLinks }) => enqueueLinks({ strategy: "all" }),
}).run([process.env.START]);
