package agent

// Sources returns how many range documents v keeps in memory.
func Sources(v *Verifier) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.sources)
}
