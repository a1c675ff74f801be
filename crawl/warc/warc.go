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

// The types of records (WARC/1.1, section 6).
const (
	TypeWarcinfo     = "warcinfo"
	TypeResponse     = "response"
	TypeResource     = "resource"
	TypeRequest      = "request"
	TypeMetadata     = "metadata"
	TypeRevisit      = "revisit"
	TypeConversion   = "conversion"
	TypeContinuation = "continuation"
)

// A Profile says in a revisit record why there is no payload (WARC/1.1, section
// 6.7).
type Profile string

// The profiles of WARC/1.1.
const (
	// IdenticalPayload is for a payload whose digest is that of an earlier one.
	IdenticalPayload Profile = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
	// NotModified is for a server that says so: 304 Not Modified.
	NotModified Profile = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
)

// A Truncation says why a record has not all that there was (WARC/1.1, section
// 5.13). The zero value is for a record that has.
type Truncation string

// The reasons of WARC/1.1.
const (
	TruncatedLength      Truncation = "length"      // it was longer than the robot takes
	TruncatedTime        Truncation = "time"        // it took longer than the robot waits
	TruncatedDisconnect  Truncation = "disconnect"  // the connection broke
	TruncatedUnspecified Truncation = "unspecified" // for another reason
)

// ErrClosed is the error of a [Writer] that has been closed.
var ErrClosed = errors.New("the writer is closed")

// maxHeader is how many bytes the header of a record may have, and how many of
// an HTTP header are looked at.
const maxHeader = 64 << 10
