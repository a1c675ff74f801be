module github.com/robotsexclusion/robots/oracle

go 1.26.0

require (
	github.com/jimsmart/grobotstxt v1.0.3
	github.com/robotsexclusion/robots v0.0.0-00010101000000-000000000000
	github.com/temoto/robotstxt v1.1.2
)

replace github.com/robotsexclusion/robots => ../
