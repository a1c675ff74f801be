// Package zstd decompresses Zstandard (RFC 8878): any number of frames, without dictionaries. Numbers of
// sections are those of the RFC.
package zstd

import "errors"

// errBroken is what is wrong with data that no encoder writes.
var errBroken = errors.New("zstd: the data is broken")
