-- Which robots obeyed, from the rows that robots audit --rows requests.jsonl wrote. The
-- counts are those of its report. For DuckDB: duckdb <violations.sql
SELECT
	robot,
	count(*) FILTER (identity <> 'forged') AS requests,
	count(*) FILTER (class = 'certain') AS certain,
	count(*) FILTER (class = 'informed') AS informed,
	count(*) FILTER (class = 'grace') AS grace,
	count(*) FILTER (identity = 'forged') AS forged,
	count(*) FILTER (identity = 'forged' AND rule IS NOT NULL) AS forged_violations
FROM read_json('requests.jsonl', sample_size = -1)
WHERE kind = 'robot'
GROUP BY robot
ORDER BY certain DESC, requests DESC, robot;
