package merge

import "github.com/robotsexclusion/robots/internal/printable"

// header adds a comment that names the fragments. The comment has no date: the same fragments
// give the same file.
func (w *writer) header(fragments []*fragment, wishes []Wish) {
	w.comment("Built by 'robots build', from:")
	for _, f := range fragments {
		w.comment("  " + printable.Text(f.name))
	}
	if len(wishes) > 0 {
		w.comment("with:")
		for _, wish := range wishes {
			w.comment("  " + wish.String())
		}
	}
	w.comment("Change these, and build it again.")
}
