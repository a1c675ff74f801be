package fetch

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
)

// sumMember starts the last member of a sealed object.
const sumMember = `,"sum":"`

// seal returns v, which must become a non-empty JSON object, as a line of JSON. The last member
// is a checksum of the bytes before it. The sum detects damage; it is not a signature.
func seal(v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	data = data[:len(data)-1]
	return fmt.Appendf(data, "%s%s\"}\n", sumMember, sum(data)), nil
}

// unseal checks a line written by seal and decodes it into v.
func unseal(line []byte, v any) error {
	i := bytes.LastIndex(line, []byte(sumMember))
	if i < 0 {
		return errors.New("it has no sum")
	}
	if got := bytes.TrimRight(line[i+len(sumMember):], " \t\r\n"); string(got) != sum(line[:i])+`"}` {
		return errors.New("its sum is wrong")
	}
	return json.Unmarshal(line, v)
}

func sum(data []byte) string {
	h := sha256.Sum256(data)
	return fmt.Sprintf("%x", h[:8])
}
