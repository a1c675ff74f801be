package natscache

import (
	"math/rand/v2"
	"testing"
)

// TestKnowledge lets writers, readers and a watch that lags run in random orders. Once the watch
// has seen everything, an entry that counts as current must be the last one of the bucket.
func TestKnowledge(t *testing.T) {
	currents := 0
	for seed := range uint64(20000) {
		random := rand.New(rand.NewPCG(seed, 1))
		var n knowledge
		var k key
		var bucket, local uint64      // the last revision, and that of the local entry
		var unseen []uint64           // revisions that the watch has not seen
		var begun []uint64            // numbers of reads that have not read yet
		var reads, writes [][2]uint64 // numbers and outcomes that were not set yet
		set := func(outcomes *[][2]uint64) {
			if len(*outcomes) > 0 {
				o := (*outcomes)[0]
				*outcomes = (*outcomes)[1:]
				local = max(local, o[1])
				n.set(k, o[0], o[1])
			}
		}
		learn := func() {
			n.learn(k, unseen[0])
			unseen = unseen[1:]
		}
		for range random.IntN(30) {
			switch random.IntN(8) {
			case 0: // another process writes
				bucket++
				unseen = append(unseen, bucket)
			case 1:
				begun = append(begun, n.begin(k))
			case 2:
				if len(begun) > 0 {
					reads = append(reads, [2]uint64{begun[0], bucket})
					begun = begun[1:]
				}
			case 3:
				set(&reads)
			case 4: // this process writes, and its own watch sees that too
				number := n.begin(k)
				bucket++
				unseen = append(unseen, bucket)
				writes = append(writes, [2]uint64{number, bucket})
			case 5:
				set(&writes)
			case 6:
				if len(unseen) > 0 {
					learn()
				}
			case 7:
				if random.IntN(4) == 0 {
					n.forget(k)
				}
			}
		}
		for len(unseen) > 0 {
			learn()
		}
		if n.current(k, local > 0) {
			currents++
			if local != bucket {
				t.Fatalf("seed %d: revision %d counts as current, and the bucket has %d", seed, local, bucket)
			}
		}
	}
	if currents < 1000 {
		t.Errorf("only %d orders end with a current entry", currents)
	}
}

// TestKnowledgeIsBounded begins more keys than are kept.
func TestKnowledgeIsBounded(t *testing.T) {
	var n knowledge
	for i := range maxKnown + 1000 {
		var k key
		k[0], k[1], k[2] = byte(i), byte(i>>8), byte(i>>16)
		n.set(k, n.begin(k), 1)
		if !n.current(k, true) {
			t.Fatal("the last key is not kept")
		}
	}
	if len(n.keys) != maxKnown {
		t.Errorf("%d keys", len(n.keys))
	}
}
