// Package gunzip decompresses gzip (RFC 1952), faster than compress/gzip: it decodes several codes with each read of
// memory. Logs are its use.
package gunzip
