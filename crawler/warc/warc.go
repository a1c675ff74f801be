// Package warc writes and reads web archives: files of the WARC format, in which a robot
// keeps its requests and the responses, and the index to find them.
//
// It writes WARC/1.1 (ISO 28500:2017), one gzip member a record, so that each record can
// be read by itself. A [Writer] manages a folder of such files: it begins a new file when
// the last is large enough, and indexes its records in CDXJ, as pywb and OutbackCDX read
// it. A [Reader] reads files of WARC/1.1, 1.0 and the drafts before, and ARC, compressed
// or not, and continues after damaged parts.
//
// # Crashes
//
// The name of a file that is being written ends in .open. Its records are on the disk
// after [Writer.Sync] has returned; a robot reports a page as done after that. A killed
// process leaves at most the last records unfinished: [Open] cuts them off, brings the
// index up to date, and gives the file its final name. An error, such as a full disk,
// leaves no part of a record.
//
// # Digests
//
// WARC-Payload-Digest is SHA-1 in Base32, because indexes and other archives identify a
// payload by that digest, and some can store no other. Two pages can be made to have the
// same SHA-1: callers for which this matters should compare a digest of their own before
// they write a revisit. WARC-Block-Digest is SHA-256 in Base16: its only use is
// verification.
package warc

import "errors"

// The types of records with requests and answers (WARC/1.1, section 6). [Record.Type] also
// returns the others, such as "warcinfo" and "metadata".
const (
	TypeResponse = "response"
	TypeRequest  = "request"
	typeRevisit  = "revisit"

	typeWarcinfo = "warcinfo"
	typeResource = "resource"
	typeMetadata = "metadata"
)

// The profiles of revisit records, which say why the payload is missing (WARC/1.1,
// section 6.7).
const (
	// IdenticalPayload is for a payload whose digest is that of an earlier one.
	IdenticalPayload = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
	// NotModified is for a response of 304 Not Modified.
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

// maxHeader is the maximum size in bytes of the header of a record, and the number of
// bytes searched for the end of an HTTP header.
const maxHeader = 64 << 10
