// Package warc writes and reads web archives: files of the WARC format, in which
// a robot keeps what it asked and what it got, and the index by which others find
// it there.
//
// It writes WARC/1.1 (ISO 28500:2017), one gzip member a record, so that each
// record can be read by itself. A [Writer] keeps a folder of such files: it begins
// a new one when the last is large enough, and what it has written it indexes in
// CDXJ, as pywb and OutbackCDX read it. A [Reader] reads files of WARC/1.1, 1.0 and
// the drafts before, and ARC, compressed or not, and goes on after what is broken.
//
// # Crashes
//
// A file that is being written has .open at the end of its name. A record in it is
// on the disk when [Writer.Sync] has returned; a robot reports a page as done after
// that. A process that is killed leaves at most the last records unfinished:
// [Open] cuts them off, brings the index up to date, and gives the file its name.
// An error, such as a full disk, leaves no part of a record.
//
// # Digests
//
// WARC-Payload-Digest is SHA-1 in Base32, because that is the name by which indexes
// and other archives know a payload, and some can keep no other. Who must not be
// deceived by two pages that were made to have the same SHA-1, compares a digest of
// his own before he writes a revisit. WARC-Block-Digest is SHA-256 in Base16: it
// is only there to be checked.
package warc

import "errors"

// The types of records that a robot deals with (WARC/1.1, section 6). [Record.Type] returns the
// others too, such as "resource" and "metadata".
const (
	TypeWarcinfo = "warcinfo"
	TypeResponse = "response"
	TypeRequest  = "request"
	TypeRevisit  = "revisit"

	typeResource = "resource"
	typeMetadata = "metadata"
)

// The profiles of revisit records, which say why there is no payload (WARC/1.1, section 6.7).
const (
	// IdenticalPayload is for a payload whose digest is that of an earlier one.
	IdenticalPayload = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
	// NotModified is for a server that says so: 304 Not Modified.
	NotModified = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
)

// The reasons for WARC-Truncated (WARC/1.1, section 5.13).
const (
	truncatedLength      = "length"
	truncatedTime        = "time"
	truncatedDisconnect  = "disconnect"
	truncatedUnspecified = "unspecified"
)

// errClosed is the error of a [Writer] that has been closed.
var errClosed = errors.New("the writer is closed")

// maxHeader is how many bytes the header of a record may have, and how many of
// an HTTP header are looked at.
const maxHeader = 64 << 10
