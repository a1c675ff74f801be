package objects

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// An s3 is a bucket of S3, below a prefix. Each put is one request, so nothing of an object is
// there before all of it is.
type s3 struct {
	client *minio.Client
	bucket string
	prefix string // "" or with a slash at its end
	where  string // the host
}

// sumKey is the name of the metadata with the SHA-256 of an object.
const sumKey = "Sha256"

func openS3(ctx context.Context, place string) (*s3, error) {
	s := &s3{}
	s.bucket, s.prefix, _ = strings.Cut(place, "/")
	if s.prefix != "" {
		s.prefix += "/"
	}
	own := cmp.Or(os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL"))
	endpoint, err := url.Parse(cmp.Or(own, "https://s3.amazonaws.com"))
	if err != nil || endpoint.Host == "" || endpoint.User != nil || strings.Trim(endpoint.Path, "/") != "" ||
		endpoint.Scheme != "http" && endpoint.Scheme != "https" {
		return nil, errors.New("AWS_ENDPOINT_URL is not the URL of a server: correct it, as in https://s3.example.com")
	}
	providers := []credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}}
	o := &minio.Options{Secure: endpoint.Scheme == "https", MaxRetries: attempts,
		Region: cmp.Or(os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"))}
	if own != "" {
		o.BucketLookup, o.Region = minio.BucketLookupPath, cmp.Or(o.Region, "us-east-1")
	} else {
		providers = append(providers, &credentials.IAM{}) // the role of a machine at AWS
	}
	o.Creds = credentials.NewChainCredentials(providers)
	s.where = endpoint.Host
	if s.client, err = minio.New(endpoint.Host, o); err != nil {
		return nil, err
	}
	if has, err := o.Creds.GetWithContext(s.client.CredContext()); err != nil || has.AccessKeyID == "" {
		return nil, errors.New("there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, " +
			"or write them into the file ~/.aws/credentials, or name its profile with AWS_PROFILE")
	}
	// A list asks for the bucket, and its answer has a reason. The first object is enough.
	first := errors.New("it is there")
	err = s.list(ctx, "", func(Info) error { return first })
	if err != nil && err != first {
		return nil, err
	}
	return s, nil
}

// explain says what to do about an error. No text of the server becomes a part of it, which could
// repeat what was sent.
func (s *s3) explain(err error) error {
	got := minio.ErrorResponse{}
	if err == nil || !errors.As(err, &got) {
		return err // of the network: it has the URL, and no header
	}
	known := func(text string) error {
		return permanent{fmt.Errorf("%s answers %s: "+text, s.where, cmp.Or(got.Code, http.StatusText(got.StatusCode)))}
	}
	switch got.Code {
	case minio.NoSuchKey:
		return fmt.Errorf("%w at %s", fs.ErrNotExist, s.where)
	case minio.NoSuchBucket:
		return known("there is no bucket " + s.bucket + ": create it, or name another one")
	case "InvalidAccessKeyId", "XAdminUserNotFound", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken":
		return known("the credentials are wrong or have expired: see AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and " +
			"AWS_SESSION_TOKEN, or the file ~/.aws/credentials, and AWS_REGION")
	case minio.AccessDenied:
		return known("these credentials may not do that, or are wrong: they need s3:ListBucket, s3:GetObject, " +
			"s3:PutObject and s3:DeleteObject for the bucket " + s.bucket)
	case "QuotaExceeded", "XMinioStorageFull", "InsufficientStorage", "NoSpaceLeft", "EntityTooLarge":
		return known("the bucket " + s.bucket + " is full, or takes no object of this size: make room there")
	case "RequestTimeTooSkewed":
		return known("the clock of this machine is wrong: set it")
	case "PermanentRedirect", "AuthorizationHeaderMalformed":
		return known("the bucket is in another region: set AWS_REGION")
	}
	if got.StatusCode == http.StatusInsufficientStorage {
		return known("the bucket " + s.bucket + " is full: make room there")
	}
	return fmt.Errorf("%s answers %d %s", s.where, got.StatusCode, got.Code)
}

func (s *s3) put(ctx context.Context, info Info, content io.Reader) error {
	o := minio.PutObjectOptions{DisableMultipart: true, UserMetadata: map[string]string{sumKey: info.Sum},
		ContentType: "application/octet-stream"}
	o.SetMatchETagExcept("*")
	_, err := s.client.PutObject(ctx, s.bucket, s.prefix+info.Name, content, info.Size, o)
	if got := (minio.ErrorResponse{}); errors.As(err, &got) && got.StatusCode == http.StatusPreconditionFailed {
		has, err := s.stat(ctx, info.Name)
		if err != nil {
			return err
		}
		return same(has, info)
	}
	return s.explain(err)
}

func (s *s3) stat(ctx context.Context, name string) (Info, error) {
	has, err := s.client.StatObject(ctx, s.bucket, s.prefix+name, minio.StatObjectOptions{})
	if err != nil {
		return Info{}, s.explain(err)
	}
	return Info{name, has.Size, has.UserMetadata[sumKey]}, nil
}

func (s *s3) get(ctx context.Context, name string) (io.ReadCloser, Info, error) {
	info, err := s.stat(ctx, name)
	if err != nil {
		return nil, info, err
	}
	content, err := s.client.GetObject(ctx, s.bucket, s.prefix+name, minio.GetObjectOptions{})
	if err != nil {
		return nil, info, s.explain(err)
	}
	return explained{content, s}, info, nil
}

// An explained reader explains its errors.
type explained struct {
	io.ReadCloser
	of *s3
}

func (e explained) Read(p []byte) (int, error) {
	n, err := e.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		err = e.of.explain(err)
	}
	return n, err
}

func (s *s3) list(ctx context.Context, prefix string, fn func(Info) error) error {
	ctx, cancel := context.WithCancel(ctx) // ends the goroutine of the client
	defer cancel()
	below := minio.ListObjectsOptions{Prefix: s.prefix + prefix, Recursive: true}
	for o := range s.client.ListObjects(ctx, s.bucket, below) {
		if o.Err != nil {
			return s.explain(o.Err)
		}
		if err := fn(Info{Name: strings.TrimPrefix(o.Key, s.prefix), Size: o.Size}); err != nil {
			return err
		}
	}
	return nil
}

func (s *s3) delete(ctx context.Context, name string) error {
	err := s.explain(s.client.RemoveObject(ctx, s.bucket, s.prefix+name, minio.RemoveObjectOptions{}))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (s *s3) close() error { return nil }
