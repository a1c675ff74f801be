package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/robotsexclusion/robots/crawler/internal/filecheck"
	"github.com/robotsexclusion/robots/internal/filelock"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A localServer is a NATS server in this process, without a port and with synced writes.
// It locks its folder.
type localServer struct {
	nats   *server.Server
	dir    string
	lock   *filelock.Lock
	log    *slog.Logger
	broken context.Context // ends with the error after which the server stores nothing
	breaks context.CancelCauseFunc

	mu     sync.Mutex
	places []filecheck.Place // must not be replaced or removed
	line   string            // the last warning or error that the server logged
}

// startTime is how long the server may take to be ready, after it has read its folder.
const startTime = 30 * time.Second

// startServer starts a server for a folder, and creates the folder if needed.
func startServer(dir string, log *slog.Logger) (*localServer, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	l := &localServer{dir: dir, log: log}
	l.broken, l.breaks = context.WithCancelCause(context.Background())
	l.lock, err = filelock.Try(l.lockFile(), filelock.Exclusive)
	if errors.Is(err, filelock.ErrLocked) {
		err = ErrLocked
	}
	if err != nil {
		return nil, err
	}
	if err := l.start(); err != nil {
		l.stop(2 * answerTime)
		return nil, err
	}
	return l, nil
}

// lockFile returns the file that keeps other processes out.
func (l *localServer) lockFile() string { return filepath.Join(l.dir, "lock") }

func (l *localServer) start() error {
	if err := l.watch(l.lockFile()); err != nil {
		return err
	}
	if err := l.sweep(); err != nil {
		return err
	}
	var err error
	l.nats, err = server.NewServer(&server.Options{
		ServerName: "robots", DontListen: true, NoSigs: true, NoSystemAccount: true,
		JetStream: true, StoreDir: l.dir, SyncAlways: true, DisableJetStreamBanner: true,
		JetStreamMaxMemory: 64 << 20, JetStreamMaxStore: 1 << 60, // the disk is the limit
	})
	if err != nil {
		return err
	}
	l.nats.SetLoggerV2(l, false, false, false)
	l.nats.Start()
	if !l.nats.ReadyForConnections(startTime) || !l.nats.JetStreamEnabled() {
		return errors.Join(errors.New("the server in this process does not start"), l.said())
	}
	return nil
}

// stop stops the server and unlocks the folder. The server may take as long as patience to stop.
//
// A server whose disk is full may never stop: when it cannot write before a removal, it
// waits for a lock that it holds itself (nats-server 2.15.2, fileStore.compactLocked and
// rebuildState). Then the folder stays locked, and the server stays in memory, until the
// process ends.
func (l *localServer) stop(patience time.Duration) error {
	if l.nats != nil {
		stopped := make(chan struct{})
		go func() {
			defer close(stopped)
			l.nats.Shutdown()
			l.nats.WaitForShutdown()
		}()
		select {
		case <-stopped:
		case <-time.After(patience):
			l.breaks(ErrClosed)
			return fmt.Errorf("journal %s: its server does not stop: end this process before the journal is opened again; what was acknowledged is on the disk", l.dir)
		}
	}
	l.breaks(ErrClosed)
	return l.lock.Close()
}

// streams returns the folder in which the server keeps its streams.
func (l *localServer) streams() string { return filepath.Join(l.dir, "jetstream", "$G", "streams") }

// sweep prepares the streams for the server. It removes streams without a description:
// the process was killed while it created them. The server would skip such a stream, and
// the journal could not tell it from a damaged stream that the server skips. sweep also
// removes the index of each stream, so that the server reads and checks all messages.
// With an index the server trusts what it reads later, and can hang on it.
func (l *localServer) sweep() error {
	entries, err := os.ReadDir(l.streams())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		dir := filepath.Join(l.streams(), e.Name())
		if info, err := os.Stat(filepath.Join(dir, "meta.sum")); err == nil && info.Size() > 0 {
			if err := os.Remove(filepath.Join(dir, "msgs", "index.db")); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			continue
		}
		blocks, err := filepath.Glob(filepath.Join(dir, "msgs", "*.blk"))
		if err != nil {
			return err
		}
		for _, name := range blocks {
			if info, err := os.Stat(name); err != nil || info.Size() > 0 {
				return fmt.Errorf("%s has messages but no description: it is damaged", dir)
			}
		}
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	return nil
}

// has reports whether a stream has a folder, whether or not the server could read the
// folder.
func (l *localServer) has(stream string) bool {
	_, err := os.Stat(filepath.Join(l.streams(), stream))
	return err == nil
}

// watch adds a file or folder that must not be replaced or removed.
func (l *localServer) watch(name string) error {
	p, err := filecheck.At(name)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.places = append(l.places, p)
	return err
}

// check returns the reason why messages stored now would be lost, or nil.
func (l *localServer) check() error {
	if l.broken.Err() != nil {
		return context.Cause(l.broken)
	}
	l.mu.Lock()
	places := l.places
	l.mu.Unlock()
	for _, p := range places {
		if err := p.Check(); err != nil {
			return err
		}
	}
	return nil
}

// probe is check plus a test write: the server does not always report why a write failed.
func (l *localServer) probe() error {
	if err := l.check(); err != nil {
		return err
	}
	f, err := os.CreateTemp(l.dir, "probe")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, 64<<10))
	if err == nil {
		err = f.Sync()
	}
	f.Close()
	os.Remove(f.Name())
	return err
}

// said returns the last warning or error of the server, or nil.
func (l *localServer) said() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.line == "" {
		return nil
	}
	return fmt.Errorf("the server said: %s", l.line)
}

func (l *localServer) complain(level slog.Level, line string, v ...any) {
	line = printable.Clipped(strings.TrimSpace(fmt.Sprintf(line, v...)), 500)
	l.mu.Lock()
	l.line = line
	l.mu.Unlock()
	l.log.Log(context.Background(), level, "journal: "+line)
}

// Noticef, Warnf, Errorf, Fatalf, Debugf and Tracef implement the logger of the server.
func (l *localServer) Noticef(line string, v ...any) {
	l.log.Debug("journal: " + strings.TrimSpace(fmt.Sprintf(line, v...)))
}

// Warnf logs a problem that the server survives.
func (l *localServer) Warnf(line string, v ...any) { l.complain(slog.LevelWarn, line, v...) }

// Errorf logs an error of the server. After a disk error the server answers no requests,
// so a logged disk error ends l.broken.
func (l *localServer) Errorf(line string, v ...any) {
	l.complain(slog.LevelError, line, v...)
	for _, word := range []string{"write error", "failed to store", "disabl", "DISABL"} {
		if strings.Contains(line, word) {
			l.breaks(l.said())
		}
	}
}

// Fatalf logs an error that ends the server.
func (l *localServer) Fatalf(line string, v ...any) {
	l.complain(slog.LevelError, line, v...)
	l.breaks(l.said())
}

// Debugf is never called: debug messages are off.
func (l *localServer) Debugf(string, ...any) {}

// Tracef is never called: tracing is off.
func (l *localServer) Tracef(string, ...any) {}
