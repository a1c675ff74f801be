package house

// floors lists the packages that each package may import beyond the standard library, from the
// ground up: packages of the listed modules by their folder, others by their full path, which
// includes the packages below it. A package imports only packages of its own floor and of lower
// floors. What only the tests of a package import stands behind "tests:". The list is policy: a
// change to it, such as a new package, needs a decision record.
//
// go test ./internal/house -run TestFloors -update writes the imports of all packages from their
// files. It leaves each package on its floor, and puts a new one on the lowest floor that has what
// it imports: look at the difference, and move the package to the floor where it belongs.
const floors = `
cellar: text, HTML, HTTP, URLs, files and processes, below robots.txt

  .ci:
  audit/internal/edge: internal/address
  crawler/internal/objects: github.com/minio/minio-go/v7
    github.com/minio/minio-go/v7/pkg/credentials github.com/nats-io/nats.go
    github.com/nats-io/nats.go/jetstream internal/nats internal/printable
    tests: github.com/nats-io/nats-server/v2/server internal/nats/natstest internal/test/fatal
      internal/test/ports
  internal/address:
  internal/cli: github.com/spf13/cobra github.com/spf13/pflag golang.org/x/sys/windows
    golang.org/x/term internal/exception internal/http/fault internal/http/ownhost internal/language
    internal/nearest internal/printable internal/userfile
    tests: internal/test/child internal/test/fatal
  internal/exception: internal/printable internal/userfile
    tests: internal/test/corpus
  internal/filelock: golang.org/x/sys/windows
    tests: internal/test/child internal/test/fatal
  internal/gitfile: internal/printable internal/userfile
    tests: internal/test/corpus internal/test/fatal
  internal/house:
    tests: internal/test/fatal
  internal/html/htmltoken: golang.org/x/net/html
    tests: internal/html/slowtoken internal/test/corpus
  internal/html/htmltree: internal/html/htmltoken
    tests: internal/test/corpus
  internal/html/slowtoken: golang.org/x/net/html
  internal/http/fault: internal/language internal/printable
    tests: internal/test/fatal
  internal/http/flight:
  internal/http/http1:
    tests: internal/test/fatal internal/test/heads internal/test/ports
  internal/http/httpfield: internal/printable
  internal/http/ownhost: internal/printable
    tests: internal/test/fatal
  internal/http/renewed: internal/http/http1
    tests: internal/test/fatal
  internal/http/webserver: internal/test/ports
    tests: internal/test/fatal
  internal/jsonl:
  internal/language:
    tests: internal/test/fatal
  internal/language/columns: internal/language
  internal/language/matchtext: internal/language
    tests: .
  internal/nats: github.com/nats-io/nats.go github.com/nats-io/nats.go/jetstream internal/printable
    internal/userfile
    tests: github.com/nats-io/nats-server/v2/server github.com/nats-io/nkeys internal/nats/natstest
      internal/test/fatal
  internal/nats/natsflag: github.com/spf13/pflag internal/cli internal/nats
    tests: internal/test/fatal
  internal/nats/natstest: github.com/nats-io/jwt/v2 github.com/nats-io/nats-server/v2/server
    github.com/nats-io/nkeys internal/test/cable internal/test/child internal/test/fatal
    internal/test/ports
  internal/nearest:
  internal/pageserver: internal/http/fault internal/http/httpfield internal/http/ownhost
    internal/printable
    tests: internal/test/fatal
  internal/parallel:
  internal/printable:
    tests: internal/test/fatal
  internal/ruleindex: internal/ruleindex/byteclass internal/ruleindex/word
    tests: internal/test/corpus
  internal/ruleindex/byteclass:
    tests: internal/url/percent
  internal/ruleindex/word:
  internal/sfv:
  internal/test/cable:
    tests: internal/test/fatal
  internal/test/child:
  internal/test/corpus:
  internal/test/disk:
    tests: internal/test/fatal
  internal/test/fatal:
  internal/test/heads: internal/test/ports
  internal/test/logs:
    tests: internal/test/fatal
  internal/test/nameserver: golang.org/x/net/dns/dnsmessage
  internal/test/ports:
    tests: internal/test/fatal
  internal/test/scripttest: github.com/rogpeppe/go-internal/testscript github.com/spf13/cobra
    github.com/spf13/pflag internal/test/nameserver
  internal/url/percent:
  internal/url/reading:
  internal/url/urlcheck: internal/printable internal/url/percent
  internal/url/urlhost: golang.org/x/net/idna internal/url/urlcheck
  internal/url/urlquery: golang.org/x/text/encoding golang.org/x/text/encoding/htmlindex
    golang.org/x/text/encoding/japanese golang.org/x/text/transform golang.org/x/text/width
    tests: internal/test/fatal
  internal/userfile:
    tests: internal/test/fatal
  server/web:
    tests: internal/test/fatal

ground: robots.txt, and the robots: the standard library and the cellar only

  .: internal/printable internal/ruleindex internal/ruleindex/byteclass internal/ruleindex/word
    internal/sfv internal/url/percent internal/url/urlcheck
    tests: conformance internal/test/child internal/test/corpus internal/test/fatal
  agent: . agent/internal/robotlist internal/address internal/nearest internal/printable
    tests: internal/test/corpus internal/test/fatal internal/test/nameserver
  agent/botauth: internal/sfv
    tests: internal/test/fatal
  agent/internal/robotlist:
  compat/temoto: .
    tests: internal/test/fatal
  conformance:
    tests: internal/test/fatal
  internal/robotname: agent internal/language internal/printable
  internal/unusable: .
  sitemap: golang.org/x/net/html/charset golang.org/x/text/transform internal/printable
    tests: internal/test/corpus internal/test/fatal

library: what programs do with robots.txt: fetch, prove, check, judge, enforce, write

  agent/keydir: agent/botauth fetch internal/http/flight internal/http/http1 internal/http/httpfield
    internal/printable
    tests: internal/test/fatal
  ask: . agent conformance fetch internal/http/download internal/http/fault internal/http/flight
    internal/http/renewed internal/jsonl internal/language internal/parallel internal/printable
    internal/url/urlcheck page
    tests: internal/test/fatal
  audit: . agent audit/accesslog audit/internal/edge internal/requestrate internal/url/urlcheck
    tests: github.com/klauspost/compress/gzip internal/test/corpus internal/test/fatal
      internal/test/logs
  audit/accesslog: audit/internal/edge github.com/klauspost/compress/gzip
    github.com/klauspost/compress/zstd github.com/mikelolasagasti/xz internal/nearest
    internal/printable internal/url/percent
    tests: internal/test/corpus internal/test/fatal internal/test/logs internal/test/ports
  cmd/internal/asked: . agent ask fetch internal/robotname internal/userfile
  cmd/internal/exportcheck: . agent export internal/exception internal/http/webserver
    internal/url/reading
    tests: internal/test/corpus internal/test/fatal
  cmd/internal/inplace: . agent internal/language internal/printable proof proof/pathset
    tests: internal/robotname internal/test/corpus internal/test/fatal
  cmd/internal/robottest: agent audit audit/accesslog internal/http/fault internal/language
    internal/language/columns internal/printable
    tests: . internal/test/fatal
  cmd/internal/say/cardtext: internal/card internal/language
  cmd/internal/say/changetext: . agent cmd/internal/inplace github.com/rogpeppe/go-internal/diff
    internal/language internal/printable
  export: . agent export/internal/headerregex export/internal/layers export/internal/pathregex
    internal/exception internal/printable internal/requestrate internal/url/reading
    tests: audit/accesslog guard internal/http/webserver internal/test/corpus internal/test/fatal
      internal/test/ports internal/test/probe internal/test/slowguard
  export/internal/headerregex: agent export/internal/pathregex
    tests: internal/test/corpus internal/test/fatal
  export/internal/layers: .
    tests: internal/test/corpus
  export/internal/pathregex: . export/internal/layers internal/url/percent internal/url/reading
    tests: internal/test/fatal
  fetch: . internal/filelock internal/http/fault internal/http/flight internal/http/httpfield
    internal/http/renewed internal/printable internal/url/urlcheck internal/url/urlhost
    tests: internal/test/child internal/test/corpus internal/test/fatal internal/test/heads
  fetch/natscache: fetch github.com/nats-io/nats.go github.com/nats-io/nats.go/jetstream
    internal/http/flight internal/nats internal/printable
    tests: github.com/nats-io/nats-server/v2/server internal/nats/natstest internal/test/cable
      internal/test/child internal/test/fatal internal/test/ports
  guard: . agent agent/botauth fetch internal/exception internal/http/http1 internal/printable
    internal/requestrate internal/unusable internal/url/percent internal/url/reading
    internal/url/urlcheck
    tests: internal/test/corpus internal/test/fatal internal/test/nameserver internal/test/slowguard
  internal/card: . agent internal/language internal/printable internal/userfile lint proof
    proof/pathset
    tests: internal/test/corpus internal/test/fatal
  internal/card/answered: fetch internal/card internal/http/httpfield internal/printable
  internal/http/download: fetch github.com/andybalholm/brotli github.com/klauspost/compress/flate
    github.com/klauspost/compress/gzip github.com/klauspost/compress/zlib
    github.com/klauspost/compress/zstd internal/http/flight internal/http/http1
    internal/http/httpfield internal/printable
    tests: internal/test/child internal/test/fatal internal/test/heads
  internal/rdap: internal/printable
    tests: fetch
  internal/requestrate: .
  internal/test/probe: . agent
  internal/test/slowguard: . agent internal/url/reading
  lint: . agent internal/language internal/language/columns internal/nearest internal/printable
    proof proof/pathset
    tests: internal/test/corpus internal/test/fatal
  lint/format: .
    tests: internal/test/corpus
  page: . golang.org/x/net/html/charset internal/html/htmltoken internal/html/htmltree
    internal/jsonl internal/language internal/language/matchtext internal/printable
    internal/url/urlquery
    tests: golang.org/x/net/html internal/html/slowtoken internal/test/corpus internal/test/fatal
  proof: . agent internal/language internal/printable proof/pathset
    tests: internal/test/corpus internal/test/fatal
  proof/merge: . agent internal/language internal/printable lint/format proof proof/pathset
    tests: github.com/rogpeppe/go-internal/txtar internal/test/corpus internal/test/fatal
  proof/pathset: . internal/url/percent
    tests: internal/test/corpus
  server/answers: . agent internal/language internal/printable internal/robotname lint proof
    proof/pathset server/api
  server/api: internal/printable
    tests: fetch server

answers: what the programs of this repository answer, and the crawler

  cmd/internal/audit/auditlive: agent audit audit/accesslog cmd/internal/audit/auditrows
    cmd/internal/audit/logtail internal/printable internal/userfile
    tests: cmd/internal/audit/auditreport internal/test/fatal
  cmd/internal/audit/auditnew: agent audit audit/accesslog cmd/internal/audit/auditreport
    cmd/internal/audit/auditrows cmd/internal/describe internal/address internal/language
    internal/language/columns internal/printable
    tests: internal/test/corpus internal/test/fatal
  cmd/internal/audit/auditreport: audit audit/accesslog cmd/internal/audit/auditsites
    cmd/internal/audit/identify internal/address internal/language internal/language/columns
    internal/printable internal/rdap internal/url/percent
    tests: golang.org/x/net/html internal/test/corpus internal/test/fatal
  cmd/internal/audit/auditrows: agent audit audit/accesslog internal/printable
    tests: internal/test/fatal
  cmd/internal/audit/auditsites: audit fetch internal/gitfile internal/language internal/printable
    internal/userfile
    tests: . internal/test/fatal
  cmd/internal/audit/identify: agent internal/address internal/language internal/printable
    internal/userfile
    tests: internal/test/fatal internal/test/nameserver
  cmd/internal/audit/logtail: internal/printable
  cmd/internal/describe: agent agent/botauth internal/address internal/language internal/printable
    tests: . agent/keydir golang.org/x/net/html internal/test/fatal lint
  cmd/internal/inforce: . fetch internal/printable internal/userfile
  cmd/internal/lintsite: . cmd/internal/inforce fetch internal/http/http1 internal/http/httpfield
    internal/printable internal/userfile lint sitemap
  cmd/internal/lsp: . agent github.com/creachadair/jrpc2 internal/language
    internal/language/matchtext internal/printable internal/robotname lint lint/format proof
    proof/pathset
    tests: internal/test/corpus internal/test/fatal
  cmd/internal/say: . agent agent/botauth agent/keydir ask cmd/internal/inforce cmd/internal/inplace
    cmd/internal/say/cardtext cmd/internal/say/changetext conformance fetch internal/card
    internal/language internal/language/columns internal/language/matchtext internal/printable
    internal/userfile lint page proof
    tests: internal/test/fatal
  cmd/internal/survey: . agent fetch internal/language internal/language/columns internal/parallel
    internal/printable internal/userfile
    tests: internal/test/fatal
  cmd/internal/wasm/auditask: agent audit audit/accesslog cmd/internal/audit/auditreport
    cmd/internal/audit/auditsites cmd/internal/wasm/engine internal/language internal/printable
    tests: internal/test/fatal
  cmd/internal/wasm/border: cmd/internal/wasm/engine internal/printable
  cmd/internal/wasm/command: . agent ask cmd/internal/asked cmd/internal/say
    cmd/internal/wasm/engine fetch internal/card internal/card/answered internal/http/fault
    internal/http/httpfield internal/language internal/printable internal/robotname
    internal/userfile lint
  cmd/internal/wasm/engine: . internal/printable
    tests: agent conformance internal/test/corpus internal/test/fatal internal/test/probe server
  cmd/internal/wasm/pageask: . agent cmd/internal/inplace cmd/internal/say/cardtext
    cmd/internal/say/changetext cmd/internal/wasm/engine export internal/card internal/language
    internal/printable internal/robotname lint proof proof/merge proof/pathset
    tests: cmd/internal/say internal/test/corpus internal/test/fatal
  cmd/internal/wasm/questions: . agent cmd/internal/wasm/engine internal/language internal/printable
    internal/robotname lint lint/format page server/answers server/api
    tests: internal/test/fatal
  crawler/control: crawler/crawl crawler/internal/weburl
    github.com/prometheus/client_golang/prometheus
    github.com/prometheus/client_golang/prometheus/collectors
    github.com/prometheus/client_golang/prometheus/promhttp internal/http/ownhost internal/printable
    tests: crawler/result fetch internal/test/child internal/test/fatal
  crawler/crawl: . agent/botauth crawler/internal/binread crawler/internal/filecheck
    crawler/internal/fleet crawler/internal/journal crawler/internal/objects crawler/internal/pace
    crawler/internal/store crawler/internal/trap crawler/internal/weburl crawler/result crawler/warc
    fetch github.com/klauspost/compress/zstd internal/http/download internal/http/http1
    internal/http/httpfield internal/http/renewed internal/printable internal/url/percent
    internal/url/urlcheck page sitemap
    tests: crawler/internal/testweb github.com/nats-io/nats-server/v2/server/ats
      github.com/nats-io/nats.go github.com/nats-io/nats.go/jetstream internal/nats/natstest
      internal/test/child internal/test/corpus internal/test/disk internal/test/fatal
      internal/test/ports
  crawler/internal/binread:
  crawler/internal/crawltext: crawler/crawl crawler/internal/fleet crawler/result internal/language
    internal/language/columns internal/printable
  crawler/internal/feed: crawler/internal/index crawler/internal/weburl crawler/result crawler/warc
    internal/http/download internal/http/http1 internal/language internal/printable page
    tests: crawler/crawl fetch golang.org/x/text/encoding golang.org/x/text/encoding/charmap
      golang.org/x/text/encoding/korean internal/test/child internal/test/corpus internal/test/disk
      internal/test/fatal
  crawler/internal/filecheck:
    tests: internal/test/fatal
  crawler/internal/fleet: crawler/internal/journal github.com/nats-io/nats.go
    github.com/nats-io/nats.go/jetstream internal/nats
    tests: internal/nats/natstest internal/test/child internal/test/corpus internal/test/fatal
      internal/test/ports
  crawler/internal/index: github.com/blevesearch/bleve/v2 github.com/blevesearch/bleve/v2/analysis
    github.com/blevesearch/bleve/v2/analysis/lang/en
    github.com/blevesearch/bleve/v2/analysis/lang/es
    github.com/blevesearch/bleve/v2/analysis/lang/ru
    github.com/blevesearch/bleve/v2/analysis/token/porter
    github.com/blevesearch/bleve/v2/index/scorch github.com/blevesearch/bleve/v2/search
    github.com/blevesearch/bleve/v2/search/searcher github.com/blevesearch/bleve_index_api
    go.etcd.io/bbolt go.etcd.io/bbolt/errors golang.org/x/net/html/charset
    golang.org/x/text/unicode/norm internal/html/htmltoken internal/html/htmltree internal/language
    internal/printable internal/userfile page
    tests: internal/test/child internal/test/corpus internal/test/disk internal/test/fatal
  crawler/internal/journal: crawler/internal/filecheck github.com/klauspost/compress/zstd
    github.com/nats-io/nats-server/v2/server github.com/nats-io/nats.go
    github.com/nats-io/nats.go/jetstream internal/filelock internal/nats internal/printable
    tests: internal/nats/natstest internal/test/child internal/test/corpus internal/test/disk
      internal/test/fatal internal/test/ports
  crawler/internal/opensearch: crawler/internal/index internal/printable
    tests: internal/test/corpus internal/test/fatal
  crawler/internal/pace: . crawler/internal/binread
    tests: internal/test/fatal
  crawler/internal/seeds: golang.org/x/net/html/charset golang.org/x/text/encoding/unicode
    golang.org/x/text/transform internal/html/htmltoken internal/html/htmltree internal/printable
    tests: internal/test/corpus internal/test/fatal
  crawler/internal/store: crawler/internal/filecheck github.com/cockroachdb/pebble/v2
    github.com/cockroachdb/pebble/v2/bloom github.com/cockroachdb/pebble/v2/vfs internal/filelock
    internal/printable
    tests: internal/test/child internal/test/corpus internal/test/disk internal/test/fatal
  crawler/internal/testweb: . golang.org/x/net/dns/dnsmessage golang.org/x/net/html
    internal/printable internal/url/urlcheck
    tests: internal/test/corpus internal/test/fatal page
  crawler/internal/trap: crawler/internal/weburl internal/printable internal/url/percent
    tests: internal/test/corpus internal/test/fatal
  crawler/internal/weburl: golang.org/x/net/publicsuffix internal/printable internal/url/percent
    internal/url/urlcheck internal/url/urlhost internal/url/urlquery
    tests: fetch golang.org/x/text/encoding/htmlindex internal/test/fatal
  crawler/result: internal/printable
  crawler/warc: crawler/internal/filecheck github.com/klauspost/compress/gzip internal/filelock
    internal/printable
    tests: internal/test/child internal/test/corpus internal/test/disk internal/test/fatal
  robotsd/internal/guardoptions: . agent agent/keydir fetch guard page
  robotsd/internal/guardserver: agent github.com/prometheus/client_golang/prometheus
    github.com/prometheus/client_golang/prometheus/collectors
    github.com/prometheus/client_golang/prometheus/promhttp guard internal/printable
    tests: . agent/botauth agent/keydir audit/accesslog
      github.com/prometheus/client_golang/prometheus/testutil/promlint internal/test/child
      internal/test/corpus internal/test/fatal internal/test/ports internal/test/probe
      internal/test/slowguard
  robotsd/internal/guardshare: agent github.com/nats-io/nats.go github.com/nats-io/nats.go/jetstream
    guard internal/nats internal/printable
    tests: . internal/nats/natstest internal/test/cable internal/test/child internal/test/fatal
      internal/test/ports
  robotsd/internal/monitor: . ask fetch internal/filelock internal/http/download internal/http/fault
    internal/http/httpfield internal/http/renewed internal/language internal/printable
    internal/unusable lint proof sitemap
    tests: agent internal/test/child internal/test/corpus internal/test/fatal
  robotsd/internal/monitor/cost: fetch robotsd/internal/monitor
  robotsd/internal/monitor/monitorshare: github.com/nats-io/nats.go
    github.com/nats-io/nats.go/jetstream internal/nats internal/printable robotsd/internal/monitor
    tests: internal/test/fatal
  robotsd/internal/monitor/notify: internal/http/httpfield internal/language internal/printable
    robotsd/internal/monitor
    tests: fetch internal/test/corpus internal/test/fatal
  server: . agent ask fetch internal/card internal/card/answered internal/http/httpfield
    internal/http/ownhost internal/language internal/printable internal/url/urlcheck lint
    server/answers server/api
    tests: conformance internal/test/corpus internal/test/fatal internal/test/nameserver proof

programs: flags, one call, print, exit status

  cmd/internal/wasm/audit: cmd/internal/wasm/auditask cmd/internal/wasm/border
    cmd/internal/wasm/engine
  cmd/internal/wasm/core: cmd/internal/wasm/border cmd/internal/wasm/engine
  cmd/internal/wasm/editor: cmd/internal/lsp
  cmd/internal/wasm/page: cmd/internal/wasm/border cmd/internal/wasm/engine
    cmd/internal/wasm/pageask cmd/internal/wasm/questions
  cmd/internal/wasm/verbs: cmd/internal/wasm/border cmd/internal/wasm/command
    cmd/internal/wasm/engine
  cmd/internal/wasm/whole: cmd/internal/wasm/border cmd/internal/wasm/engine
    cmd/internal/wasm/questions
  cmd/robots: . agent agent/botauth agent/keydir ask audit audit/accesslog cmd/internal/asked
    cmd/internal/audit/auditlive cmd/internal/audit/auditnew cmd/internal/audit/auditreport
    cmd/internal/audit/auditrows cmd/internal/audit/auditsites cmd/internal/audit/identify
    cmd/internal/describe cmd/internal/exportcheck cmd/internal/inforce cmd/internal/inplace
    cmd/internal/lintsite cmd/internal/lsp cmd/internal/robottest cmd/internal/say
    cmd/internal/say/changetext cmd/internal/survey conformance export fetch
    github.com/klauspost/compress/gzip github.com/spf13/cobra github.com/spf13/pflag
    golang.org/x/term internal/card internal/card/answered internal/cli internal/http/fault
    internal/http/http1 internal/jsonl internal/language internal/language/columns internal/nearest
    internal/parallel internal/printable internal/rdap internal/robotname internal/userfile lint
    lint/format page proof proof/merge
    tests: cmd/internal/wasm/command cmd/internal/wasm/engine cmd/internal/wasm/pageask
      cmd/internal/wasm/questions github.com/andybalholm/brotli github.com/klauspost/compress/zstd
      github.com/rogpeppe/go-internal/testscript internal/test/child internal/test/corpus
      internal/test/fatal internal/test/nameserver internal/test/scripttest server
  crawler/cmd/robots-crawl: . agent agent/botauth crawler/control crawler/crawl
    crawler/internal/crawltext crawler/internal/feed crawler/internal/fleet crawler/internal/index
    crawler/internal/objects crawler/internal/opensearch crawler/internal/seeds
    crawler/internal/testweb crawler/internal/weburl crawler/result crawler/warc fetch
    github.com/spf13/cobra github.com/spf13/pflag internal/cli internal/http/fault internal/language
    internal/language/columns internal/nats internal/nats/natsflag internal/pageserver
    internal/printable internal/userfile server/web
    tests: agent/keydir github.com/rogpeppe/go-internal/testscript internal/nats/natstest
      internal/test/fatal internal/test/scripttest
  robotsd: . fetch fetch/natscache github.com/prometheus/client_golang/prometheus
    github.com/prometheus/client_golang/prometheus/collectors
    github.com/prometheus/client_golang/prometheus/promhttp github.com/spf13/cobra
    github.com/spf13/pflag guard internal/cli internal/gitfile internal/http/fault
    internal/http/ownhost internal/http/renewed internal/language internal/nats
    internal/nats/natsflag internal/pageserver internal/printable internal/userfile proof
    robotsd/internal/guardoptions robotsd/internal/guardserver robotsd/internal/guardshare
    robotsd/internal/monitor robotsd/internal/monitor/monitorshare robotsd/internal/monitor/notify
    server server/web
    tests: audit audit/accesslog github.com/nats-io/nats.go github.com/nats-io/nats.go/jetstream
      github.com/prometheus/client_golang/prometheus/testutil/promlint
      github.com/rogpeppe/go-internal/testscript internal/nats/natstest internal/test/cable
      internal/test/fatal internal/test/nameserver internal/test/ports internal/test/scripttest
      server/api
`
