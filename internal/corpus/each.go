package corpus

import (
	"runtime"
	"sync"
)

// Each calls do for every file, on as many goroutines as there are processors, and
// returns after the last one.
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

// Every returns one file of n, or all of them with ROBOTS_CORPUS_ALL.
func Every(n int, files []File) (some []File) {
	if All() {
		return files
	}
	for i := 0; i < len(files); i += n {
		some = append(some, files[i])
	}
	return some
}
