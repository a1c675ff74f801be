package agent

// Sources returns the number of range documents that v keeps in memory.
func Sources(v *Verifier) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.sources)
}
