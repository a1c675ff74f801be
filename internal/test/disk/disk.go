// Package disk simulates full disks for tests: it limits the size of each file of a
// process, or mounts a small file system.
//
// Use both in a child process of the test only, because they affect the whole process.
package disk
