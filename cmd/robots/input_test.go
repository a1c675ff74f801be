package main

import "testing"

func TestOrigin(t *testing.T) {
	for _, test := range []struct{ arg, want string }{
		{"https://example.com", "https://example.com"},
		{"http://user@example.com:8080/a/robots.txt?b", "http://example.com:8080"},
		{"HTTPS://[::1]/", "https://[::1]"},
		{"example.com", "https://example.com"},
		{"example.com/", "https://example.com"},
		{"EXAMPLE.COM:8080", "https://EXAMPLE.COM:8080"},
		{"[::1]:80", "https://[::1]:80"},
		{"robots.txt", ""},
		{"example.com.TXT", ""},
		{"-", ""},
		{"main.go", ""}, // this file exists
		{"folder/example.com", ""},
		{"missing", ""},
		{"", ""},
		{"/", ""},
		{"ftp://example.com", ""},
		{"\x1b.com", ""},
	} {
		if got, _ := origin(test.arg); got != test.want {
			t.Errorf("%q: got %q, want %q", test.arg, got, test.want)
		}
	}
}
