package userfile

import (
	"fmt"
	"iter"
)

// List yields the texts of a list, as [URLs] does those of a file.
func List(texts []string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, text := range texts {
			if !yield(text, nil) {
				return
			}
		}
	}
}

// Join concatenates sequences.
func Join(parts ...iter.Seq2[string, error]) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, part := range parts {
			for text, err := range part {
				if !yield(text, err) {
					return
				}
			}
		}
	}
}

// NotEmpty returns the sequence, and adds an error if the sequence is empty: an empty list of
// questions must not give the answer yes.
func NotEmpty(list iter.Seq2[string, error], name, what string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		empty := true
		for text, err := range list {
			empty = false
			if !yield(text, err) {
				return
			}
		}
		if empty {
			yield("", fmt.Errorf("nothing was asked: there is no %s in %s: write one a line", what, Called(name)))
		}
	}
}
