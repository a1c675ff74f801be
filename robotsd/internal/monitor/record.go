package monitor

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// A record is what instances share of a site, one value: its state, the text of its baseline, and
// the events that receivers have not got yet. So one write stores all that a look changed, or
// nothing.
//
// Its members are stored: never rename one, nor give one another meaning.
type record struct {
	Version int         `json:"version"` // 1
	Holder  string      `json:"holder"`  // the instance that wrote it
	ID      string      `json:"id"`      // the start of the ids of events
	Next    uint64      `json:"next"`    // the number of the next event
	Site    *site       `json:"site"`
	Failing time.Time   `json:"failing,omitzero"` // since when the site fails
	Events  []owedShare `json:"events,omitempty"` // the oldest first
	Text    []byte      `json:"text"`             // of the baseline; null if there is none
}

// An owedShare is an event, and the receivers that do not have it yet.
type owedShare struct {
	Event Event    `json:"event"`
	To    []string `json:"to"`
}

const (
	maxShared = 100       // events of a site that wait for receivers; then the oldest is dropped
	maxRecord = 900 << 10 // bytes of a record; servers take values of a million bytes
	maxJSON   = 64 << 20  // bytes of a record before it is compressed
)

// errForeign is the error of a record that a later version of the program wrote.
var errForeign = errors.New("a later version of the program has written the state of the site: use that version for all instances")

// encode returns a record as a value. Events are dropped, the oldest first, if there are too many
// or they are too long.
func (r *record) encode() ([]byte, error) {
	r.Events = r.Events[max(0, len(r.Events)-maxShared):]
	for {
		data, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		w, err := gzip.NewWriterLevel(&b, gzip.BestSpeed) // the others take a megabyte of memory
		if err == nil {
			_, err = w.Write(data)
			err = errors.Join(err, w.Close())
		}
		if err != nil {
			return nil, err
		}
		switch {
		case b.Len() <= maxRecord:
			return b.Bytes(), nil
		case len(r.Events) == 0:
			return nil, fmt.Errorf("the state of the site has %d bytes, more than %d", b.Len(), maxRecord)
		}
		r.Events = r.Events[(len(r.Events)+1)/2:]
	}
}

// decodeRecord reads a value.
func decodeRecord(value []byte) (*record, error) {
	z, err := gzip.NewReader(bytes.NewReader(value))
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(z, maxJSON))
	if err != nil {
		return nil, err
	}
	var r record
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, err
	}
	switch {
	case r.Version > 1:
		return nil, errForeign
	case r.Version != 1 || r.Site == nil || r.Site.Origin == "":
		return nil, errors.New("the value is not a state of a site")
	}
	return &r, nil
}
