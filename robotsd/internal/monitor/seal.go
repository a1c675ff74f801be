package monitor

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
)

// sumMember starts the last member of a line.
const sumMember = `,"sum":"`

// seal returns v, which must become a non-empty JSON object, as a line. The last member is
// the start of the SHA-256 of the bytes before it.
func seal(v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	data = data[:len(data)-1]
	sum := sha256.Sum256(data)
	return fmt.Appendf(data, "%s%x\"}\n", sumMember, sum[:8]), nil
}

// unseal checks and reads a line.
func unseal(text []byte, v any) error {
	i := bytes.LastIndex(text, []byte(sumMember))
	if i < 0 {
		return errors.New("it has no sum")
	}
	sum := sha256.Sum256(text[:i])
	if want := fmt.Appendf(nil, "%s%x\"}\n", sumMember, sum[:8]); !bytes.Equal(text[i:], want) {
		return errors.New("its sum is wrong")
	}
	return json.Unmarshal(text, v)
}
