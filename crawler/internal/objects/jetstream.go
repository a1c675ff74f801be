package objects

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	cluster "github.com/robotsexclusion/robots/internal/nats"
)

// A jetStream is a bucket of the object store of JetStream. The description of an object is written
// after its parts.
type jetStream struct {
	conn *cluster.Conn
	name string
	all  jetstream.ObjectStore

	denied context.Context // ends when the server denies a message: no answer comes
	deny   context.CancelFunc
}

func openJetStream(ctx context.Context, name string, o Options) (*jetStream, error) {
	if o.NATS == "" {
		return nil, errors.New("a bucket of JetStream is on the NATS servers of the crawl: name them with --nats")
	}
	j := &jetStream{name: name}
	j.denied, j.deny = context.WithCancel(context.Background())
	conn, err := cluster.Connect(o.NATS, "robots objects", nats.RetryOnFailedConnect(false),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if errors.Is(err, nats.ErrPermissionViolation) {
				j.deny()
			}
		}))
	if err != nil {
		j.deny()
		return nil, err
	}
	j.conn = conn
	ctx, cancel := j.exchange(ctx)
	defer cancel()
	if err := j.open(ctx, o.Replicas); err != nil {
		conn.Close()
		return nil, j.explain(err)
	}
	return j, nil
}

func (j *jetStream) open(ctx context.Context, replicas int) error {
	js, err := jetstream.New(j.conn.Conn)
	if err != nil {
		return err
	}
	j.all, err = js.ObjectStore(ctx, j.name)
	if errors.Is(err, jetstream.ErrBucketNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) {
		j.all, err = js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: j.name, Replicas: max(replicas, 1),
			Storage: jetstream.FileStorage, Description: "archives and checkpoints of robots"})
	}
	if errors.Is(err, jetstream.ErrBucketExists) { // another worker was faster
		j.all, err = js.ObjectStore(ctx, j.name)
	}
	return err
}

// exchange returns a context that also ends when the server denies a message.
func (j *jetStream) exchange(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(j.denied, cancel)
	return ctx, func() {
		stop()
		cancel()
	}
}

// explain says what to do about an error.
func (j *jetStream) explain(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	for _, full := range []string{"maximum bytes exceeded", "insufficient storage", "resource limits exceeded",
		"insufficient resources"} {
		if strings.Contains(text, full) {
			return permanent{fmt.Errorf("the bucket %s is full: raise its limit with "+
				"'nats stream edit OBJ_%s --max-bytes', "+
				"or give the account and the disks of the servers more room: %w", j.name, j.name, err)}
		}
	}
	if errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrBucketNotFound) {
		return permanent{fmt.Errorf("the bucket %s was deleted: stop all workers and start them again: %w", j.name,
			err)}
	}
	if denied := j.conn.Denied(); denied != nil {
		return permanent{denied}
	}
	return j.conn.Why(err)
}

// infoOf returns what is known of an object.
func infoOf(i *jetstream.ObjectInfo) Info {
	info := Info{Name: i.Name, Size: int64(i.Size)}
	if sum, err := jetstream.DecodeObjectDigest(i.Digest); err == nil {
		info.Sum = hex.EncodeToString(sum)
	}
	return info
}

func (j *jetStream) put(ctx context.Context, info Info, content io.Reader) error {
	ctx, cancel := j.exchange(ctx)
	defer cancel()
	has, err := j.all.GetInfo(ctx, info.Name)
	if err == nil {
		return same(infoOf(has), info)
	}
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		_, err = j.all.Put(ctx, jetstream.ObjectMeta{Name: info.Name}, content)
	}
	return j.explain(err)
}

func (j *jetStream) get(ctx context.Context, name string) (io.ReadCloser, Info, error) {
	result, err := j.all.Get(ctx, name)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return nil, Info{}, fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	}
	if err != nil {
		return nil, Info{}, j.explain(err)
	}
	info, err := result.Info()
	if err != nil {
		return nil, Info{}, errors.Join(j.explain(err), result.Close())
	}
	return result, infoOf(info), nil
}

func (j *jetStream) list(ctx context.Context, prefix string, fn func(Info) error) error {
	ctx, cancel := j.exchange(ctx)
	defer cancel()
	all, err := j.all.List(ctx)
	if errors.Is(err, jetstream.ErrNoObjectsFound) {
		return nil
	}
	if err != nil {
		return j.explain(err)
	}
	for _, i := range all {
		if strings.HasPrefix(i.Name, prefix) {
			if err := fn(infoOf(i)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (j *jetStream) delete(ctx context.Context, name string) error {
	ctx, cancel := j.exchange(ctx)
	defer cancel()
	err := j.all.Delete(ctx, name)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return nil
	}
	return j.explain(err)
}

func (j *jetStream) close() error {
	j.deny()
	j.conn.Close()
	return nil
}
