package lsp

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/creachadair/jrpc2"
	"github.com/robotsexclusion/robots/internal/language"
)

// initialize answers the first request with the capabilities of the server.
func (s *session) initialize(req *jrpc2.Request) (work, error) {
	var p initializeParams
	if err := req.UnmarshalParams(&p); err != nil {
		return nil, err
	}
	s.state = serving
	s.client = newClient(&p)
	if p.Locale != "" {
		s.settings.language = language.Parse(p.Locale).String()
	}
	s.settings.byDefault = s.settings.language
	wrong := s.news(s.settings.read(p.Options, true))
	return func(context.Context) (any, error) {
		for _, message := range wrong {
			s.show(messageWarning, message)
		}
		return map[string]any{
			"capabilities": s.client.capabilities(),
			"serverInfo":   map[string]string{"name": source, "version": s.server.Version},
		}, nil
	}, nil
}

// configure applies settings.
func (s *session) configure(req *jrpc2.Request) (work, error) {
	var p struct {
		Settings json.RawMessage `json:"settings"`
	}
	if err := req.UnmarshalParams(&p); err != nil {
		return nil, err
	}
	before := s.settings
	wrong := s.news(s.settings.readSection(p.Settings))
	var again []*document
	if !s.settings.equal(before) {
		for uri, d := range s.documents {
			s.serial++
			s.documents[uri] = d.again(s.settings.options(), s.serial)
			again = append(again, s.documents[uri])
		}
	}
	return func(ctx context.Context) (any, error) {
		for _, message := range wrong {
			s.show(messageWarning, message)
		}
		if len(again) == 0 {
			return nil, nil
		}
		for _, d := range again {
			s.check(d)
		}
		if s.client.pulls && s.client.refreshes {
			go s.rpc.Callback(context.Background(), "workspace/diagnostic/refresh", nil)
		}
		if s.client.lensesAgain {
			go s.rpc.Callback(context.Background(), "workspace/codeLens/refresh", nil)
		}
		return nil, nil
	}, nil
}

// news returns the messages that were not shown before.
func (s *session) news(messages []string) (fresh []string) {
	for _, m := range messages {
		if s.first(m) {
			fresh = append(fresh, m)
		}
	}
	return fresh
}

// shutdown is the last request of a client.
func (s *session) shutdown(*jrpc2.Request) (work, error) {
	s.state = ending
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shut = true
	return nil, nil
}

func (s *session) isShut() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shut
}

// exit ends the session. Running requests are cancelled.
func (s *session) exit(*jrpc2.Request) (work, error) {
	return func(context.Context) (any, error) {
		s.rpc.Stop()
		return nil, nil
	}, nil
}

// cancel cancels a request.
func (s *session) cancel(req *jrpc2.Request) (work, error) {
	var p struct {
		ID json.RawMessage `json:"id"`
	}
	if err := req.UnmarshalParams(&p); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if stop := s.running[string(p.ID)]; stop != nil {
		stop()
	}
	return nil, nil
}

// skipped handles a message that was too large to be read. It may have been a change of any
// document, so no open document is reliable any more.
func (s *session) skipped(req *jrpc2.Request) (work, error) {
	var p struct {
		Bytes int64 `json:"bytes"`
	}
	if err := req.UnmarshalParams(&p); err != nil || s.state != serving {
		return nil, err
	}
	var lost []*document
	for uri, d := range s.documents {
		lost = append(lost, s.lose(uri, d.version))
	}
	return func(context.Context) (any, error) {
		s.show(messageError, fmt.Sprintf("a message of %d bytes was skipped, as it is larger than %d: "+
			"a file that large is not looked at; other files that are open must be closed and opened again", p.Bytes,
			maxMessage))
		for _, d := range lost {
			s.check(d)
		}
		return nil, nil
	}, nil
}
