"""A robot on Scrapy that follows every link, as an example for test.sh."""

import os

import scrapy


class Links(scrapy.Spider):
    name = "links"
    start_urls = [os.environ["START"]]
    custom_settings = {
        "ROBOTSTXT_OBEY": True,
        "USER_AGENT": "ExampleBot/1.0 (+https://example.com/bot)",
        "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
        "DOWNLOAD_DELAY": 0.5,
    }

    def parse(self, response):
        if hasattr(response, "css"):
            yield from response.follow_all(css="a[href]", callback=self.parse)
