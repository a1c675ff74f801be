package process

import (
	"flag"
	"sync"
	"sync/atomic"
	"time"
)

// A Flood has the flags of a program that compares servers by sending each of them as many requests
// as it can, in rounds. The program itself is the bare server of the comparison if Bare is not
// empty.
type Flood struct {
	Bare, Listen              string
	Requests, Rounds, Clients int
}

// AddFlags adds the flags, with numbers of requests and rounds for when they are not given. Bare
// says what the program is with -bare.
func (f *Flood) AddFlags(flags *flag.FlagSet, bare string, requests, rounds int) {
	flags.StringVar(&f.Bare, "bare", "", bare)
	flags.StringVar(&f.Listen, "listen", "", "with -bare, listen at this `address`")
	flags.IntVar(&f.Requests, "requests", requests, "requests of a round")
	flags.IntVar(&f.Rounds, "rounds", rounds, "rounds of each server")
	flags.IntVar(&f.Clients, "clients", 32, "connections that ask as fast as they can")
}

// Round has clients send requests to a server, with numbers from 0, each when next gives it one. It
// returns the requests a second, and the processor time of the server for one in microseconds.
func (s *Server) Round(clients, requests int, client func(next func() (n int, more bool))) (rate, cost float64,
	err error) {
	before, err := s.CPU()
	if err != nil {
		return 0, 0, err
	}
	var last atomic.Int64
	next := func() (int, bool) {
		n := int(last.Add(1)) - 1
		return n, n < requests
	}
	began := time.Now()
	var all sync.WaitGroup
	for range clients {
		all.Go(func() { client(next) })
	}
	all.Wait()
	took := time.Since(began)
	after, err := s.CPU()
	return float64(requests) / took.Seconds(), float64((after - before).Microseconds()) / float64(requests), err
}
