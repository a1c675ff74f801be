-- The requests of a robot that examples/shop.robots.txt disallows to everyone ("*"), found by
-- their paths alone, in rows that robots audit --rows requests.jsonl wrote. It is the question for logs
-- that another engine holds, while robots.txt did not change. For DuckDB: duckdb <disallowed.sql
--
-- The longest rule decides. Both Allow rules are longer than each Disallow rule that matches the same
-- paths. LIKE compares bytes: rules or paths with percent-escapes need one form first.
SELECT log, line, time, client, path
FROM read_json('requests.jsonl', sample_size = -1)
WHERE robot = 'ExampleBot'
	AND identity <> 'forged'
	AND path <> '/robots.txt'
	AND (
		path LIKE '/cart%'             -- Disallow: /cart
		OR path LIKE '/checkout/%'     -- Disallow: /checkout/
		OR path LIKE '/account/%'      -- Disallow: /account/
		OR path LIKE '/search%'        -- Disallow: /search
		OR path LIKE '/%?sort=%'       -- Disallow: /*?sort=
		OR path LIKE '/%?%filter=%'    -- Disallow: /*?*filter=
		OR path LIKE '/%/print'        -- Disallow: /*/print$
		OR path LIKE '/api/%'          -- Disallow: /api/
	)
	AND path NOT LIKE '/search/help%'  -- Allow: /search/help
	AND path NOT LIKE '/api/public/%'  -- Allow: /api/public/
ORDER BY log, line;
