module github.com/robotsexclusion/robots

go 1.26
