package botauth_test

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"time"

	"github.com/robotsexclusion/robots/agent/botauth"
)

func Example() {
	// A robot has a key, and publishes its public part.
	private := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)) // not a secret one
	public, err := botauth.NewKey(private.Public())
	if err != nil {
		log.Fatal(err)
	}
	directory := botauth.NewDirectory(public)

	// It signs its requests.
	signer := &botauth.Signer{Key: private, Agent: "https://bot.example.com"}
	req, err := http.NewRequest("GET", "https://www.example.org/path", nil)
	if err != nil {
		log.Fatal(err)
	}
	if err := signer.Sign(req, time.Now()); err != nil {
		log.Fatal(err)
	}

	// A server knows the directory of the robot, and verifies them.
	verifier := &botauth.Verifier{
		Authorities: []string{"www.example.org"},
		Keys: func(_ context.Context, agent botauth.Agent, keyid string) (botauth.Key, error) {
			if agent.Directory() != "https://bot.example.com/.well-known/http-message-signatures-directory" {
				return botauth.Key{}, errors.New("nobody we know")
			}
			key, ok := directory.Key(keyid)
			if !ok {
				return botauth.Key{}, errors.New("not in the directory")
			}
			return key, nil
		},
	}
	verdict := verifier.Verify(req, time.Now())
	fmt.Println(verdict.Result, verdict.Agent.URL)

	// A signature is for one request.
	req.URL.Path = "/other"
	fmt.Println(verifier.Verify(req, time.Now()))
	// Output:
	// verified https://bot.example.com
	// forged: signature sig1: key 9ZP03Nu8GrXPAUkbKNxHOKBzxPX83SShgFkRNK-f2lw did not sign this
}

func ExampleDirectory() {
	public, err := botauth.ParseKey([]byte(`{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}`))
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc(botauth.DirectoryPath, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", botauth.DirectoryType)
		json.NewEncoder(w).Encode(botauth.NewDirectory(public))
	})
	data, err := json.Marshal(botauth.NewDirectory(public))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(data))
	// Output:
	// {"keys":[{"crv":"Ed25519","kty":"OKP","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo","kid":"kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k","use":"sig"}]}
}
