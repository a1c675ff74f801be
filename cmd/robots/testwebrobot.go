package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/cmd/internal/robottest"
	"github.com/robotsexclusion/robots/internal/language"
)

// A testedRobot is a robot that testweb starts.
type testedRobot struct {
	web      *robottest.Web
	out      io.Writer // of the robot, both outputs, and of messages
	language language.Language
}

// endsWithin is how long a robot has to end after the interrupt, before it is killed.
const endsWithin = 10 * time.Second

// run starts the robot, and returns when it has ended: by itself, or interrupted because the test
// ends. It prints the exit status, which decides nothing: the requests show what the robot does.
func (r *testedRobot) run(ctx context.Context, command []string, most, idle time.Duration) error {
	start := r.web.StartPage()
	args := make([]string, 0, len(command))
	for _, arg := range command[1:] {
		args = append(args, strings.ReplaceAll(arg, "{}", start))
	}
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	robot := exec.CommandContext(running, command[0], args...)
	robot.Env = append(os.Environ(), "ROBOTS_START="+start, "ROBOTS_PROXY=http://"+r.web.Address())
	robot.Stdout, robot.Stderr = r.out, r.out
	robot.WaitDelay = endsWithin
	robot.Cancel = func() error {
		if robot.Process.Signal(os.Interrupt) == nil {
			return nil
		}
		return robot.Process.Kill() // no other way on Windows
	}
	if err := robot.Start(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return fmt.Errorf("cannot start %s: there is no program of this name: write its path", shown(command[0]))
		}
		return fmt.Errorf("cannot start %s: %w", shown(command[0]), cause(err))
	}
	waiting, ended := context.WithCancel(ctx)
	defer ended()
	result := make(chan error, 1)
	go func() {
		result <- robot.Wait()
		ended()
	}()
	r.web.Wait(waiting, most, idle)
	stopped := waiting.Err() == nil || ctx.Err() != nil // the test ends before the robot
	stop()
	err := <-result
	if exit := (*exec.ExitError)(nil); !stopped && errors.As(err, &exit) {
		fmt.Fprintf(r.out, "robots: %s\n", textRobotEnded.In(r.language, exit.String()))
	}
	return nil
}
