// website-scraper, which copies sites and follows links by itself. It knows no robots.txt.
import scrape from "website-scraper";

const polite = process.argv[2] === "polite";
let next = 0;
class Pause {
	apply(register) {
		register("beforeRequest", async ({ requestOptions }) => {
			const now = Date.now();
			next = Math.max(now, next + 2000);
			await new Promise((resolve) => setTimeout(resolve, next - now));
			return { requestOptions };
		});
	}
}
await scrape({
	urls: [process.env.START],
	directory: "copy",
	recursive: true,
	ignoreErrors: true,
	...(polite && {
		requestConcurrency: 1,
		maxRecursiveDepth: 5,
		request: { headers: { "User-Agent": "TrialBot/1.0 (+https://example.org/robot)", From: "trial@example.org" } },
		plugins: [new Pause()],
	}),
});
