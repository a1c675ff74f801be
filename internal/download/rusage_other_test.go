//go:build !unix

package download_test

import "time"

// processorTime returns 0: this system does not say it in the same way.
func processorTime() time.Duration { return 0 }
