package auditrows

import (
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
)

// maxWindow is how far back the compression looks, in bytes. A page has 256 KiB, so that a larger window
// costs memory and finds nothing.
const maxWindow = 512 << 10

// zstdCodec compresses the pages of a Parquet file. The codec of parquet-go does the same, with a window
// of 8 MiB.
type zstdCodec struct {
	encoder *zstd.Encoder
	decoder func() (*zstd.Decoder, error)
}

func newZstdCodec() *zstdCodec {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(maxWindow),
		zstd.WithZeroFrames(true), zstd.WithEncoderCRC(false))
	if err != nil {
		panic(err) // the options are wrong
	}
	return &zstdCodec{encoder, sync.OnceValues(func() (*zstd.Decoder, error) {
		return zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	})}
}

func (*zstdCodec) String() string { return "ZSTD" }

func (*zstdCodec) CompressionCodec() format.CompressionCodec { return format.Zstd }

func (c *zstdCodec) Encode(dst, src []byte) ([]byte, error) {
	return c.encoder.EncodeAll(src, dst[:0]), nil
}

func (c *zstdCodec) Decode(dst, src []byte) ([]byte, error) {
	decoder, err := c.decoder()
	if err != nil {
		return nil, err
	}
	return decoder.DecodeAll(src, dst[:0])
}
