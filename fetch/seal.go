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

// seal returns v, which is an object with members, as a line of JSON with a last
// member that is a sum of what stands before it. It finds damage; it is no
// signature.
func seal(v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	data = data[:len(data)-1]
	return fmt.Appendf(data, "%s%s\"}\n", sumMember, sum(data)), nil
}

// unseal reads a line that seal has made into v.
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
