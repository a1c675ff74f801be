package warc_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"

	"github.com/robotsexclusion/robots/crawler/warc"
)

func Example() {
	dir, err := os.MkdirTemp("", "archive")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	// Open repairs the files of a killed process.
	w, err := warc.Open(dir, warc.Options{Info: []warc.Field{{Name: "operator", Value: "Jo <jo@example.com>"}}})
	if err != nil {
		log.Fatal(err)
	}
	capture, err := w.Write(&warc.Exchange{
		URL:     "https://www.example.com/",
		Request: warc.Message{Head: []byte("GET / HTTP/1.1\r\nHost: www.example.com\r\n\r\n")},
		Response: warc.Message{Head: []byte("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"),
			Body: []byte("<p>hello</p>")},
	})
	if err != nil {
		log.Fatal(err)
	}
	// After this the page may be reported as done.
	if err := w.Sync(); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	// One record can be read by itself: the index has its place.
	f, err := os.Open(filepath.Join(dir, capture.File))
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	record, err := warc.NewReader(io.NewSectionReader(f, capture.Offset, capture.Length)).Next()
	if err != nil {
		log.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(record), nil)
	if err != nil {
		log.Fatal(err)
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(record)
	fmt.Printf("%s %s\n", response.Status, body)

	// Output:
	// WARC/1.1 response of https://www.example.com/
	// 200 OK <p>hello</p>
}

// A file may be damaged. A reader says where, and continues after the damage.
func ExampleReader_Next() {
	f, err := os.Open("some.warc.gz")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	for r := warc.NewReader(f); ; {
		record, err := r.Next()
		if err == io.EOF {
			break
		}
		if damage := (*warc.Damage)(nil); errors.As(err, &damage) {
			log.Print(damage)
			continue
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(record.Time(), record.Type(), record.URL())
	}
}
