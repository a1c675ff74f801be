package monitor

// engines are the product tokens of large search engines.
var engines = []string{"Googlebot", "bingbot", "DuckDuckBot", "YandexBot", "Baiduspider", "Applebot", "Yeti", "SeznamBot"}
