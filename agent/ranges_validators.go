package agent

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"time"
)

// validators are those of a document that was fetched, for conditional requests (RFC 9110, section
// 8.8). They are stored beside the document in the folder: the names of the members never change.
type validators struct {
	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"last_modified,omitempty"`
	SHA256       string `json:"sha256"` // of the document: a document that was replaced has others
}

const (
	maxValidator      = 512 // bytes of one
	maxValidatorsFile = 4096
)

// validatorsIn returns the validators of a response with a document. Unusable ones are left out.
func validatorsIn(h http.Header, data []byte) validators {
	sum := sha256.Sum256(data)
	return validators{usable(h.Get("ETag")), usable(h.Get("Last-Modified")), hex.EncodeToString(sum[:])}
}

// usable returns the value of a field if it can be sent, or else "".
func usable(value string) string {
	if len(value) > maxValidator || strings.ContainsFunc(value, func(c rune) bool { return c < ' ' || c > '~' }) {
		return ""
	}
	return value
}

// addTo makes a request conditional.
func (v validators) addTo(h http.Header) {
	if v.ETag != "" {
		h.Set("If-None-Match", v.ETag)
	}
	if v.LastModified != "" {
		h.Set("If-Modified-Since", v.LastModified)
	}
}

// validatorsFile returns the path of the file with the validators of the document in a file.
func validatorsFile(kept string) string { return kept + ".validators" }

// keptValidators returns the validators of a document that was read from a file, or none.
func keptValidators(kept string, document []byte) (valid validators) {
	path := validatorsFile(kept)
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxValidatorsFile {
		return validators{}
	}
	data, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(data, &valid) != nil {
		return validators{}
	}
	sum := sha256.Sum256(document)
	if valid.SHA256 != hex.EncodeToString(sum[:]) {
		return validators{}
	}
	valid.ETag, valid.LastModified = usable(valid.ETag), usable(valid.LastModified)
	return valid
}

// keep stores the validators of a document beside its file, or removes those of the document
// before.
func (v validators) keep(kept string, at time.Time) {
	if v.ETag == "" && v.LastModified == "" {
		os.Remove(validatorsFile(kept))
		return
	}
	if data, err := json.Marshal(v); err == nil {
		putFile(validatorsFile(kept), append(data, '\n'), at)
	}
}
