package main

import (
	"net/http"
	"time"

	"github.com/robotsexclusion/robots/agent/botauth"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/spf13/pflag"
)

// A crawlSigner has the flags of crawl for signatures.
type crawlSigner struct {
	file  string
	agent string
}

func (s *crawlSigner) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&s.file, "sign", "",
		"sign each request over https with the private key in `file` (Web Bot Auth): see robots agents key")
	flags.StringVar(&s.agent, "signature-agent", "",
		"with --sign: the `URL` where the key is published, such as https://bot.example.com")
}

func (s *crawlSigner) check(demo bool) error {
	switch {
	case s.agent != "" && s.file == "":
		return cli.Misusef("--signature-agent is for --sign: name the file of the private key")
	case s.file != "" && demo:
		return cli.Misusef("--demo crawls a web without https, where nothing is signed: leave --sign out")
	}
	return nil
}

// signer returns the signer that the flags describe, or nil.
func (s *crawlSigner) signer() (*botauth.Signer, error) {
	if s.file == "" {
		return nil, nil
	}
	key, err := userfile.PrivateKey(s.file)
	if err != nil {
		return nil, err
	}
	signer := &botauth.Signer{Key: key, Agent: s.agent}
	probe, err := http.NewRequest(http.MethodGet, "https://example.com/", nil)
	if err != nil {
		return nil, err
	}
	if signer.Sign(probe, time.Now()) != nil {
		return nil, cli.Misusef("--signature-agent %s is not an https URL such as https://bot.example.com",
			printable.Shown(s.agent))
	}
	return signer, nil
}
