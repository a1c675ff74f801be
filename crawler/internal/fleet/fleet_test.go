package fleet

import (
	"cmp"
	"flag"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

var traces = flag.Bool("traces", false, "print the shortest trace without each rule")

// The times keep traces short. With the lease of small the new owner has to wait, as with
// [Standard]; with that of long it has not.
var (
	small = Times{Guard: 2 * tick, Lease: 3 * tick, Request: tick, Close: 3 * tick, Error: tick}
	long  = Times{Guard: 2 * tick, Lease: 4 * tick, Request: tick, Close: tick, Error: tick}
	slow  = Times{Guard: 2 * tick, Lease: 3 * tick, Request: 4 * tick, Close: tick, Error: tick}
)

var scenarios = []scenario{
	{name: "a death", workers: 2, places: 1, steady: 1, times: small,
		budget: budget{ticks: 5, claims: 1, requests: 2, drifts: 1}},
	{name: "a stop", workers: 2, places: 1, steady: 1, times: small,
		budget: budget{ticks: 5, claims: 1, requests: 2, stops: 1}},
	{name: "a kill", workers: 2, places: 1, steady: 1, times: small,
		budget: budget{ticks: 4, claims: 1, requests: 1, owed: 1, kills: 1, losses: 1}},
	{name: "a beat", workers: 2, places: 1, steady: 1, times: small,
		budget: budget{ticks: 4, beats: 1, claims: 1, requests: 2}},
	{name: "a late sight", workers: 2, places: 1, steady: 1, times: small,
		budget: budget{ticks: 3, beats: 2, claims: 1}},
	{name: "an old claim", workers: 1, places: 1, steady: 1, idle: true, times: small,
		budget: budget{ticks: 3, beats: 1, claims: 2, losses: 1}},
	{name: "lost beats", workers: 1, places: 1, steady: 1, times: small,
		budget: budget{ticks: 4, beats: 2, claims: 1, requests: 1, losses: 1}},
	{name: "a next session", workers: 2, places: 1, steady: 1, times: long,
		budget: budget{ticks: 3, beats: 1, claims: 1, requests: 2}},
	{name: "a plain hand-over", workers: 2, places: 1, times: small,
		budget: budget{ticks: 1, claims: 1, requests: 2, drains: 1}},
	{name: "a hand-over", workers: 2, places: 1, times: small,
		budget: budget{ticks: 1, claims: 1, requests: 2, drains: 1, owed: 1, losses: 1}},
	{name: "a race", workers: 2, places: 1, idle: true, times: small,
		budget: budget{ticks: 1, claims: 3, requests: 2, losses: 1, owed: 1}},
	{name: "a lost claim", workers: 2, places: 1, steady: 1, times: small,
		budget: budget{ticks: 5, claims: 2, requests: 2, losses: 1, drifts: 1}},
	{name: "a leave", workers: 2, places: 1, steady: 1, times: long,
		budget: budget{ticks: 2, claims: 1, requests: 2, leaves: 1, drains: 1, losses: 1}},
	{name: "a lost key", workers: 2, places: 1, steady: 1, times: small,
		budget: budget{ticks: 4, beats: 1, claims: 1, requests: 1, removals: 1}},
	{name: "a slow request", workers: 2, places: 1, steady: 1, times: slow,
		budget: budget{ticks: 6, claims: 1, requests: 2, drifts: 1}},
	{name: "slots", workers: 2, places: 2, slots: 1, both: true, times: small,
		budget: budget{ticks: 2, requests: 2, takes: 2, lowers: 1, losses: 1}},
	{name: "the pace of slots", workers: 2, places: 2, slots: 1, pace: tick, both: true, times: small,
		budget: budget{ticks: 2, requests: 2, takes: 2, lowers: 1}},
	{name: "slots of a lapsed worker", workers: 2, places: 2, slots: 1, both: true, held: true, steady: 1, times: small,
		budget: budget{ticks: 5, requests: 2, takes: 1, drifts: 1}},
	{name: "slots of a session", workers: 2, places: 2, slots: 1, both: true, held: true, steady: 1, times: long,
		budget: budget{ticks: 3, beats: 1, claims: 1, requests: 2, takes: 1}},
	{name: "everything", workers: 3, places: 2, times: small, steady: 3,
		budget: budget{ticks: 6, beats: 3, claims: 3, requests: 3, drains: 1, stops: 1, kills: 1, losses: 1,
			drifts: 1, owed: 1, leaves: 1, removals: 1}},
	{name: "everything with slots", workers: 3, places: 2, slots: 1, pace: tick, steady: 3, times: small,
		budget: budget{ticks: 6, beats: 3, claims: 3, requests: 3, drains: 1, stops: 1, kills: 1, losses: 1,
			drifts: 1, takes: 3, lowers: 1}},
}

// removed has the scenario in which the removal of a rule shows.
var removed = []struct {
	rule           Rule
	name, scenario string
}{
	{LapseEnds, "LapseEnds", "a beat"},
	{GuardOfStart, "GuardOfStart", "a beat"},
	{GuardChecked, "GuardChecked", "a death"},
	{SameSession, "SameSession", "an old claim"},
	{ClosedFirst, "ClosedFirst", "a next session"},
	{GraveCompared, "GraveCompared", "a late sight"},
	{LeaseSilent, "LeaseSilent", "a death"},
	{PauseKept, "PauseKept", "a death"},
	{PauseAgain, "PauseAgain", "a lost claim"},
	{ReleasedFirst, "ReleasedFirst", "a death"},
	{OwnFenced, "OwnFenced", "a hand-over"},
	{ClaimFenced, "ClaimFenced", "a race"},
	{AppendFenced, "AppendFenced", "a kill"},
	{Drained, "Drained", "a plain hand-over"},
	{OwedReleased, "OwedReleased", "a hand-over"},
	{OwedWritten, "OwedWritten", "a hand-over"},
	{OwedKept, "OwedKept", "a hand-over"},
	{OwedRead, "OwedRead", "a hand-over"},
	{HardDeadline, "HardDeadline", "a death"},
	{DeadlineFixed, "DeadlineFixed", "a death"},
	{ClosedOnWake, "ClosedOnWake", "a stop"},
	{LapseCloses, "LapseCloses", "a slow request"},
	{SlotNeeded, "SlotNeeded", "slots"},
	{SlotAnswered, "SlotAnswered", "slots"},
	{SlotCompared, "SlotCompared", "slots"},
	{SlotLowered, "SlotLowered", "slots"},
	{SlotClosed, "SlotClosed", "slots"},
	{SlotOver, "SlotOver", "slots"},
	{SlotPause, "SlotPause", "slots of a lapsed worker"},
	{SlotPaced, "SlotPaced", "the pace of slots"},
	{SlotDropped, "SlotDropped", "slots of a session"},
	{LeftClosed, "LeftClosed", "a leave"},
}

// most returns the number of states to which a test walks.
func most(few int) int {
	if os.Getenv("ROBOTS_WILD_ALL") != "" {
		return 300_000
	}
	return few
}

// TestRules walks all orders of steps of each scenario. With ROBOTS_WILD_ALL the scenarios with
// everything are walked further, and the others have a second and a request more.
func TestRules(t *testing.T) {
	for _, s := range scenarios {
		t.Run(s.name, func(t *testing.T) {
			limit := 1 << 30
			if s.workers == workers {
				limit = most(5_000)
			} else if most(0) > 0 {
				s.budget.ticks++
				s.budget.requests++
			}
			c := checker{rules: Rules{Times: s.times}, scenario: &s}
			states, depth, whole, trace := c.walk(limit)
			t.Logf("%d states, %d steps, all %v, %d requests beside another one after a stop",
				states, depth, whole, c.excused)
			if trace != nil {
				t.Errorf("\n%s", tell(trace, c.violation))
			}
			if s.workers < workers && !whole {
				t.Error("not all states")
			}
			if s.name == "a stop" && c.excused == 0 {
				t.Error("no stop between a check and its write")
			}
		})
	}
}

// TestRulesDeep takes random steps in the scenarios with everything, which are too large to be
// walked.
func TestRulesDeep(t *testing.T) {
	for _, s := range scenarios[len(scenarios)-2:] {
		random := rand.New(rand.NewPCG(1, 2))
		steps, excused := 0, 0
		strolls := most(30_000) / 10
		for range strolls {
			c := checker{rules: Rules{Times: s.times}, scenario: &s}
			trace := c.stroll(random)
			steps += len(trace)
			excused += c.excused
			if c.violation != "" {
				t.Fatalf("%s\n%s", s.name, tell(trace, c.violation))
			}
		}
		t.Logf("%s: %d steps in %d strolls, %d requests beside another one after a stop", s.name, steps,
			strolls, excused)
	}
}

// TestEachRuleIsNeeded removes each rule: there must be a trace to a violation.
func TestEachRuleIsNeeded(t *testing.T) {
	var all Rule
	for _, r := range removed {
		all |= r.rule
	}
	if want := LeftClosed<<1 - 1; all != want {
		t.Errorf("rules %b are removed, not %b", all, want)
	}
	for _, r := range removed {
		t.Run(r.name, func(t *testing.T) {
			i := slices.IndexFunc(scenarios, func(s scenario) bool { return s.name == r.scenario })
			c := checker{rules: Rules{Times: scenarios[i].times, without: r.rule}, scenario: &scenarios[i]}
			states, _, _, trace := c.walk(200_000)
			if trace == nil {
				t.Fatalf("%s: no violation in %d states", r.scenario, states)
			}
			if *traces {
				t.Logf("%s, %d states\n%s", r.scenario, states, tell(trace, c.violation))
			}
		})
	}
}

// TestTimes holds what [Times.Valid] and the pause demand: the checker finds a violation without.
func TestTimes(t *testing.T) {
	if !Standard.Valid() || !small.Valid() || !long.Valid() || !slow.Valid() {
		t.Error("times in use are invalid")
	}
	if got := Standard.pause(); got != 0 {
		t.Errorf("pause %v", got)
	}
	short := small
	short.Lease = small.Guard
	if short.Valid() {
		t.Error("a lease that is no longer than the guard is valid")
	}
	exact := small
	exact.Error = 0 // but the scenario has a clock that is behind
	for name, times := range map[string]Times{"short": short, "exact": exact} {
		c := checker{rules: Rules{Times: times}, scenario: &scenarios[0]}
		if _, _, _, trace := c.walk(200_000); trace == nil {
			t.Errorf("%s: no violation", name)
		} else if *traces {
			t.Logf("%s\n%s", name, tell(trace, c.violation))
		}
	}
}

// TestBalance tells how many of 256 partitions the worker with the most gets, on average over many
// crews: doc/cluster.md has the numbers. Half of the partitions are never at one of three workers.
func TestBalance(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{3, 10, 30, 100} {
		sum, crews := 0, most(400)/20
		for range crews {
			crew := make([]uint32, size)
			for i := range crew {
				crew[i] = random.Uint32()
			}
			held := make(map[uint32]int)
			for p := range 256 {
				held[slices.MaxFunc(crew, func(a, b uint32) int { return cmp.Compare(weight(a, p), weight(b, p)) })]++
			}
			largest := slices.Max(slices.Collect(maps.Values(held)))
			if sum += largest; size == 3 && largest > 128 {
				t.Errorf("a worker of %x has %d partitions", crew, largest)
			}
		}
		mean, largest := 256/float64(size), float64(sum)/float64(crews)
		t.Logf("%d workers: %.1f partitions on average, %.1f at the one with the most, %.2f times as many", size, mean,
			largest, largest/mean)
	}
}
