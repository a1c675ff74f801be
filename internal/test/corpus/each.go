package corpus

import (
	"os"
	"runtime"
	"strconv"
	"sync"
)

// Each calls do for every file, on one goroutine for each processor, and returns after
// the last call.
func Each(files []File, do func(f File)) {
	next := make(chan File)
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for f := range next {
				do(f)
			}
		})
	}
	for _, f := range files {
		next <- f
	}
	close(next)
	wait.Wait()
}

// Cases returns how many of the cases that a test generates it tries: some, or all with
// ROBOTS_CORPUS_ALL.
func Cases(some, all int) int {
	if All() {
		return all
	}
	return some
}

// Every returns every nth file, or all files with ROBOTS_CORPUS_ALL. If that variable is a number,
// it is n: 3, which .ci/run sets, stands for every third file, and 1 for all.
func Every(n int, files []File) (some []File) {
	if All() {
		n, _ = strconv.Atoi(os.Getenv("ROBOTS_CORPUS_ALL"))
		n = max(n, 1)
	}
	for i := 0; i < len(files); i += n {
		some = append(some, files[i])
	}
	return some
}
