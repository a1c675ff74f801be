package agent

// LookAgain is the pause between two looks into the folder for a document.
const LookAgain = lookAgain

// Sources returns the number of range documents that v keeps in memory.
func Sources(v *Verifier) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.sources)
}
