// Package fulldisk gives tests disks that are full: where each file of a process may have
// no more than so many bytes, or a file system of its own that is small.
//
// Both are for a process that a test has started, for what they change is of all of it.
package fulldisk
