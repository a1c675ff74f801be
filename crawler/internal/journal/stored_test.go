package journal

import (
	"encoding/hex"
	"testing"
)

// TestStored fixes the constants that are stored in the streams of journals.
func TestStored(t *testing.T) {
	kinds := string([]byte{claimKind, recordKind, markKind, inboxKind, sessionKind, releaseKind})
	if kinds != "crmisf" || format != "rj1" ||
		headerSize != 56 {
		t.Errorf("kinds %s, format %s, header of %d bytes", kinds, format, headerSize)
	}
	if charterWord != "charter" {
		t.Errorf("the word in the names of charters is %s", charterWord)
	}
	if formatKey != "robots-format" || partitionsKey != "robots-partitions" || streamsKey != "robots-streams" {
		t.Errorf("the metadata are %s, %s and %s", formatKey, partitionsKey, streamsKey)
	}
	h := header{kind: recordKind, partition: 7, records: 1, bytes: 3, epoch: 4, owner: 5, number: 6, before: 8}
	ofSession := h
	ofSession.session = true
	for want, h := range map[string]header{
		"726a3172fcedc14d070000000100000003000000000000000400000000000000050000000000000006000000000000000800000000000000026162": h,
		"726a3172dc4d4e0e070000000100000003000000000100000400000000000000050000000000000006000000000000000800000000000000026162": ofSession,
	} {
		data := append(make([]byte, headerSize, headerSize+3), 2, 'a', 'b')
		h.put(data)
		if got := hex.EncodeToString(data); got != want {
			t.Errorf("a message is\n%s\nand in journals on disks\n%s\n"+
				"Another form needs another format, and the one before must be refused with what to do.", got, want)
		}
		if got, err := parse(data); err != nil || got != h {
			t.Errorf("got %+v and %v, want %+v", got, err, h)
		}
	}
}
