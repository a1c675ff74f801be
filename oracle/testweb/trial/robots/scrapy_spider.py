# A spider that follows every link. It sets nothing: the settings are those of the command line.
import os

import scrapy


class Links(scrapy.Spider):
    name = "links"
    start_urls = [os.environ["START"]]

    def parse(self, response):
        if not hasattr(response, "css"):
            return  # not a text
        yield from response.follow_all(css="a[href]", callback=self.parse)
