#!/bin/sh
# Tests the robot that a command starts. START is the page where it begins.
#
#   DUTIES='disallow,wildcards' sh test.sh python3 my_robot.py
#
# The exit status is 0 if the robot keeps all tested duties. testweb.txt and testweb.xml have the report.
rm -f seeds.txt
robots testweb --listen 127.0.0.1:8080 --duties "$DUTIES" --require exemplary --seeds seeds.txt --junit testweb.xml >testweb.txt &
web=$!
# testweb writes the file when robots can visit it. A request from here would count as the robot's.
until [ -s seeds.txt ]; do
	kill -0 $web 2>/dev/null || exit 2 # testweb has ended with an error
	sleep 0.1
done
START=http://127.0.0.1:8080/ "$@"
sleep 11 # so that the report can say that the robot has finished
kill -INT $web
wait $web
status=$?
cat testweb.txt
exit $status
