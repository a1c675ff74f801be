//go:build !unix

package download_test

import "time"

// processorTime returns 0: this system has no getrusage.
func processorTime() time.Duration { return 0 }
