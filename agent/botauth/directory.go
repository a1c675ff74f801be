package botauth

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

const (
	maxDirectory = 256 << 10 // bytes of a directory or a card
	maxKeys      = 100       // entries of a directory
)

// A Directory is a set of keys that a signer publishes. It is immutable and safe for concurrent
// use. The zero Directory has no keys.
type Directory struct {
	keys     []Key
	rejected []error
}

// NewDirectory returns a directory of these keys, for publishing as JSON.
func NewDirectory(keys ...Key) *Directory { return &Directory{keys: slices.Clone(keys)} }

// ParseDirectory parses a directory: a JSON Web Key Set (RFC 7517, section 5) of up to 256 KiB with
// up to 100 entries. Unusable entries are left out, and so is a key that an earlier entry has: see
// [Directory.Rejected]. The "kid" of an entry is ignored: the thumbprint identifies a key.
func ParseDirectory(data []byte) (*Directory, error) {
	if len(data) > maxDirectory {
		return nil, fmt.Errorf("the key directory is larger than %d bytes", maxDirectory)
	}
	var set struct {
		Keys *[]json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(data, &set); err != nil {
		return nil, fmt.Errorf("the key directory is not a JSON Web Key Set: %w", err)
	}
	if set.Keys == nil {
		return nil, errors.New(`the key directory has no "keys"`)
	}
	if len(*set.Keys) > maxKeys {
		return nil, fmt.Errorf("the key directory has %d entries, more than %d", len(*set.Keys), maxKeys)
	}
	d := new(Directory)
	for i, entry := range *set.Keys {
		k, err := ParseKey(bytes.TrimSpace(entry))
		if err != nil {
			d.rejected = append(d.rejected, fmt.Errorf("entry %d of the key directory: %w", i+1, err))
			continue
		}
		if _, ok := d.Key(k.id); ok {
			d.rejected = append(d.rejected, fmt.Errorf("entry %d of the key directory: key %s is in it already", i+1,
				k.id))
			continue
		}
		d.keys = append(d.keys, k)
	}
	return d, nil
}

// Key returns the key with an identifier, as [Key.ID] returns it.
func (d *Directory) Key(id string) (k Key, ok bool) {
	for _, k := range d.keys {
		if k.id == id {
			return k, true
		}
	}
	return Key{}, false
}

// Rejected returns an error for each entry that was left out as unusable.
func (d *Directory) Rejected() []error { return slices.Clone(d.rejected) }

// MarshalJSON returns the directory as a JSON Web Key Set, to be served at [DirectoryPath] with the
// media type [DirectoryType].
func (d *Directory) MarshalJSON() ([]byte, error) {
	keys := d.keys
	if keys == nil {
		keys = []Key{}
	}
	return json.Marshal(struct {
		Keys []Key `json:"keys"`
	}{keys})
}
