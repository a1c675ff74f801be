package house

// floors lists the packages that each package may import beyond the standard library, from the
// ground up: packages of the listed modules by their folder, others by their full path, which
// includes the packages below it. A package may import only packages of the modules on a lower
// floor; packages of one floor do not import each other. What only the tests of a package import
// stands behind "tests:". The list is policy: a change to it, such as a new package, needs a
// decision record.
//
// go test ./internal/house -run TestFloors -update writes the imports of all packages from their
// files. It leaves each package on its floor, and puts a new one on the lowest floor above what it
// imports: look at the difference, and move the package to the floor where it belongs.
const floors = `
cellar: code that several packages above would otherwise repeat

  crawler/internal/binread:
  internal/buildversion:
  internal/ruleindex/byteclass:
    tests: internal/url/percent
  internal/test/cable:
  internal/test/corpus:
  crawler/internal/filecheck:
  internal/filelock: golang.org/x/sys/windows
  internal/http/flight:
  internal/test/ports:
  internal/test/disk:
  internal/gunzip:
  internal/html/htmltoken: golang.org/x/net/html
    tests: internal/test/corpus internal/html/slowtoken
  internal/jsonl:
  internal/language:
  internal/marks: golang.org/x/sys/cpu
  internal/natsclient: github.com/nats-io/nats.go
  internal/nearest:
  internal/parallel:
  internal/parquet:
    tests: github.com/parquet-go/parquet-go
  internal/url/percent:
  internal/printable:
  internal/test/child:
  internal/http/renewed:
  internal/robotlist:
  internal/shellwords:
  internal/shortpaths:
  internal/test/logs:
  internal/url/urlquery: golang.org/x/text
  internal/userfile:
  internal/utf16text:
  internal/ruleindex/word:
  internal/zstd: github.com/cespare/xxhash/v2
    tests: github.com/klauspost/compress
  server/web:

engine: packages that make the floors above fast

  internal/language/columns: internal/language
  internal/html/slowtoken: golang.org/x/net/html
  internal/html/htmltree: internal/html/htmltoken
  cmd/internal/audit/logtail: internal/printable
  internal/language/matchtext: internal/language
    tests: .
  internal/ruleindex: internal/ruleindex/byteclass internal/ruleindex/word
    tests: internal/test/corpus
  internal/url/urlcheck: internal/printable
  internal/usage: github.com/spf13/cobra github.com/spf13/pflag internal/language internal/nearest
    internal/printable

ground: the standard library only, so that the library has no dependencies

  .: internal/ruleindex/byteclass internal/url/percent internal/printable internal/ruleindex internal/url/urlcheck
    internal/ruleindex/word
    tests: conformance internal/test/corpus
  agent/botauth:
  conformance:
  internal/http/httpfield: internal/printable

1: what a robot needs besides the text of one file

  accesslog: github.com/therootcompany/xz internal/gunzip internal/marks internal/url/percent
    internal/printable internal/zstd
    tests: github.com/klauspost/compress internal/test/corpus internal/test/ports internal/test/logs
  agent: . internal/nearest internal/printable internal/robotlist
    tests: golang.org/x/net/dns/dnsmessage internal/test/corpus
  ask: . conformance internal/jsonl internal/printable
  compat/temoto: .
  crawler/internal/journal: github.com/klauspost/compress github.com/nats-io/nats-server/v2
    github.com/nats-io/nats.go crawler/internal/filecheck internal/filelock internal/natsclient
    internal/printable
    tests: internal/test/corpus internal/test/ports internal/test/disk internal/test/child
  crawler/internal/pace: . crawler/internal/binread
  crawler/internal/store: github.com/cockroachdb/pebble/v2 crawler/internal/filecheck internal/filelock
    internal/printable
    tests: internal/test/corpus internal/test/disk internal/test/child
  crawler/result: internal/printable
  sitemap: golang.org/x/net/html golang.org/x/text internal/printable
    tests: internal/test/corpus
  crawler/warc: github.com/klauspost/compress crawler/internal/filecheck internal/filelock internal/printable
    tests: internal/test/corpus internal/test/disk internal/test/child
  export/internal/layers: .
    tests: internal/test/corpus
  fetch: . golang.org/x/net/idna internal/filelock internal/http/flight internal/http/httpfield
    internal/printable internal/http/renewed
  format: . internal/printable
    tests: internal/test/corpus
  internal/command: github.com/spf13/cobra github.com/spf13/pflag golang.org/x/sys/windows
    golang.org/x/term internal/buildversion internal/language internal/nearest internal/printable
    internal/usage internal/userfile
    tests: internal/test/child
  crawler/internal/demoweb: . internal/language/columns internal/language internal/printable
  cmd/internal/wasm/engine: . internal/printable
    tests: agent conformance internal/test/corpus internal/test/probe server
  cmd/internal/gitfile: internal/printable internal/userfile
  internal/requestrate: .
  internal/scripttest: github.com/rogpeppe/go-internal/testscript github.com/spf13/cobra
    github.com/spf13/pflag golang.org/x/net/dns/dnsmessage internal/usage
  crawler/internal/seeds: golang.org/x/net/html golang.org/x/text internal/html/htmltoken internal/html/htmltree
    internal/printable
    tests: internal/test/corpus
  crawler/internal/testweb: . golang.org/x/net/dns/dnsmessage golang.org/x/net/html internal/printable
    internal/url/urlcheck
    tests: internal/test/corpus page
  crawler/internal/weburl: github.com/nlnwa/whatwg-url golang.org/x/net/publicsuffix internal/url/percent
    internal/printable internal/url/urlquery
    tests: fetch golang.org/x/text internal/test/corpus
  page: . golang.org/x/net/html internal/html/htmltoken internal/html/htmltree internal/jsonl
    internal/language internal/language/matchtext internal/printable internal/url/urlquery
    tests: internal/test/corpus internal/html/slowtoken
  pathset: . internal/url/percent
    tests: internal/test/corpus internal/shortpaths
  server/api: internal/printable
    tests: fetch server

2: packages above sets of paths, URLs, and pages

  agent/keydir: agent/botauth fetch internal/http/flight internal/http/httpfield internal/printable
  audit: . accesslog agent internal/requestrate internal/url/urlcheck
    tests: internal/test/corpus internal/gunzip internal/test/logs
  crawler/internal/trap: internal/url/percent internal/printable crawler/internal/weburl
    tests: internal/test/corpus
  export/internal/pathregex: . export/internal/layers internal/url/percent
  fetch/natscache: fetch github.com/nats-io/nats.go internal/http/flight internal/natsclient
    internal/printable
    tests: github.com/nats-io/nats-server/v2 internal/test/cable internal/test/ports internal/test/child
  guard: . agent agent/botauth fetch internal/url/percent internal/printable internal/requestrate
    internal/url/urlcheck
    tests: golang.org/x/net/dns/dnsmessage internal/test/corpus internal/guard/slowguard
  internal/http/download: fetch github.com/andybalholm/brotli internal/http/flight internal/http/httpfield
    internal/printable internal/zstd
    tests: github.com/klauspost/compress
  cmd/internal/wasm/border: cmd/internal/wasm/engine internal/printable
  cmd/internal/audit/identify: agent internal/language internal/printable internal/userfile
  crawler/internal/index: github.com/blevesearch/bleve github.com/blevesearch/bleve_index_api
    go.etcd.io/bbolt/errors golang.org/x/net/html golang.org/x/text internal/html/htmltoken
    internal/html/htmltree internal/language internal/printable internal/userfile page
    tests: internal/test/corpus internal/test/disk internal/test/child
  cmd/internal/inforce: . fetch internal/printable internal/userfile
  internal/pageserver: internal/http/httpfield internal/printable server/api server/web
  internal/rdap: fetch internal/printable
  internal/guard/slowguard: . agent
  cmd/internal/survey: . agent fetch internal/language/columns internal/language internal/parallel
    internal/printable internal/userfile
  internal/test/probe: . agent
  proof: . agent internal/language internal/printable pathset
    tests: internal/test/corpus internal/shortpaths

3: packages that need proofs or follow a crawl

  export/internal/headerregex: agent export/internal/pathregex
    tests: internal/test/corpus
  inquire: . agent fetch internal/http/download internal/http/flight internal/language internal/parallel
    internal/printable internal/http/renewed internal/url/urlcheck page
  cmd/internal/audit/auditrows: accesslog agent audit internal/parquet internal/printable
    tests: github.com/parquet-go/parquet-go
  cmd/internal/audit/auditsites: audit fetch cmd/internal/gitfile internal/language internal/printable
    internal/userfile
    tests: .
  internal/guard/guardoptions: . agent agent/keydir fetch guard internal/buildversion page
  internal/guard/guardserver: agent github.com/prometheus/client_golang guard internal/printable
    tests: . accesslog agent/botauth agent/keydir internal/test/corpus internal/test/ports internal/test/child
      internal/guard/slowguard internal/test/probe
  internal/guard/guardshare: agent github.com/nats-io/nats.go guard internal/natsclient internal/printable
    tests: . github.com/nats-io/nats-server/v2 internal/test/cable internal/test/ports internal/test/child
  crawler/internal/feed: crawler/result crawler/warc internal/http/download crawler/internal/index internal/language
    internal/printable crawler/internal/weburl page
    tests: crawl fetch golang.org/x/text internal/test/corpus internal/test/disk
  internal/robottest: accesslog agent audit internal/language/columns internal/language internal/printable
    tests: .
  lint: . agent internal/language/columns internal/language internal/nearest internal/printable
    internal/utf16text pathset proof
    tests: internal/test/corpus
  merge: . agent format internal/language internal/printable pathset proof
    tests: github.com/rogpeppe/go-internal/txtar internal/test/corpus internal/shortpaths

4: the editor, the texts, the robot, and configuration

  crawl: . agent/botauth crawler/internal/journal crawler/internal/pace crawler/internal/store
    crawler/internal/trap crawler/result sitemap crawler/warc fetch crawler/internal/binread
    internal/http/download crawler/internal/filecheck internal/http/httpfield internal/url/percent internal/printable
    internal/http/renewed internal/url/urlcheck crawler/internal/weburl page
    tests: github.com/nats-io/nats-server/v2 internal/test/corpus internal/test/disk internal/test/child
      crawler/internal/testweb
  export: . agent export/internal/headerregex export/internal/layers export/internal/pathregex
    internal/printable
    tests: accesslog internal/test/corpus internal/exportcheck internal/test/probe
  cmd/internal/audit/auditlive: accesslog agent audit cmd/internal/audit/auditrows cmd/internal/audit/logtail internal/printable
    internal/userfile
    tests: github.com/prometheus/client_golang cmd/internal/audit/auditreport
  cmd/internal/audit/auditreport: accesslog audit cmd/internal/audit/auditsites internal/language/columns cmd/internal/audit/identify
    internal/language internal/url/percent internal/printable internal/rdap
    tests: golang.org/x/net/html internal/test/corpus
  cmd/internal/lintsite: . sitemap fetch internal/http/httpfield cmd/internal/inforce internal/printable
    internal/userfile lint
  internal/robotnames: . agent internal/language internal/printable merge proof
  cmd/internal/say: . agent agent/botauth agent/keydir conformance fetch inquire internal/language/columns
    cmd/internal/inforce internal/language internal/language/matchtext internal/printable page proof
  lsp: . agent format github.com/creachadair/jrpc2 internal/language internal/printable lint pathset
    proof
    tests: internal/test/corpus
  monitor: . fetch inquire internal/filelock internal/http/httpfield internal/language internal/printable
    internal/http/renewed internal/utf16text proof
    tests: agent internal/test/child

5: what talks to a running robot or web server

  crawler/control: crawl github.com/prometheus/client_golang internal/printable crawler/internal/weburl
    tests: crawler/internal/pace crawler/result fetch
  internal/analyse: . agent internal/language internal/printable internal/robotnames lint pathset
    proof server/api
  crawler/internal/crawltext: crawl crawler/result internal/language/columns internal/language internal/printable
  internal/exportcheck: . agent export internal/test/ports
  cmd/internal/monitor/monitorshare: github.com/nats-io/nats.go internal/natsclient internal/printable monitor
  cmd/internal/records: . agent internal/language/columns internal/language internal/printable cmd/internal/say
  cmd/internal/monitor/notify: internal/http/httpfield internal/language internal/printable monitor
    tests: fetch

6: what programs in other languages ask

  cmd/internal/wasm/auditask: accesslog agent audit cmd/internal/audit/auditreport cmd/internal/audit/auditsites cmd/internal/wasm/engine
    internal/language internal/printable
  cmd/internal/wasm/questions: . agent format internal/analyse cmd/internal/wasm/engine internal/printable lint
    page server/api
  cmd/internal/wasm/pageask: . agent cmd/internal/wasm/engine internal/printable merge pathset proof
  server: . agent ask fetch inquire internal/analyse internal/http/httpfield internal/printable
    internal/url/urlcheck server/api
    tests: conformance internal/scripttest lint proof

roof: programs, and the rules of the house

  cmd/robots: . accesslog agent agent/botauth agent/keydir ask audit conformance export fetch format
    github.com/spf13/cobra github.com/spf13/pflag golang.org/x/term inquire cmd/internal/audit/auditlive
    cmd/internal/audit/auditreport cmd/internal/audit/auditrows cmd/internal/audit/auditsites internal/buildversion
    internal/language/columns internal/command internal/exportcheck cmd/internal/audit/identify cmd/internal/inforce
    internal/jsonl internal/language cmd/internal/lintsite internal/nearest internal/parallel
    internal/printable internal/rdap cmd/internal/records internal/robotnames internal/robottest
    cmd/internal/say internal/shellwords cmd/internal/survey internal/usage internal/userfile lint lsp merge
    page proof
    tests: github.com/andybalholm/brotli github.com/klauspost/compress
      github.com/rogpeppe/go-internal/testscript internal/scripttest
  crawler/cmd/robots-crawl: . agent agent/botauth crawl crawler/control crawler/result crawler/warc fetch
    github.com/spf13/cobra github.com/spf13/pflag internal/command crawler/internal/crawltext
    crawler/internal/demoweb crawler/internal/index crawler/internal/feed internal/language internal/pageserver
    internal/printable crawler/internal/seeds internal/usage internal/userfile server/web
    tests: github.com/rogpeppe/go-internal/testscript internal/robottest internal/scripttest
  cmd/robotsd: . fetch fetch/natscache github.com/prometheus/client_golang github.com/spf13/cobra
    github.com/spf13/pflag guard internal/buildversion internal/command cmd/internal/gitfile
    internal/guard/guardoptions internal/guard/guardserver internal/guard/guardshare internal/language
    cmd/internal/monitor/monitorshare internal/pageserver internal/printable internal/http/renewed internal/userfile
    monitor cmd/internal/monitor/notify proof server server/web
    tests: accesslog audit github.com/nats-io/nats-server/v2 github.com/nats-io/nats.go
      github.com/rogpeppe/go-internal/testscript internal/test/cable internal/test/ports
      internal/scripttest server/api
  cmd/internal/wasm/audit: cmd/internal/wasm/auditask cmd/internal/wasm/engine cmd/internal/wasm/border
  cmd/internal/wasm/core: cmd/internal/wasm/engine cmd/internal/wasm/border
  cmd/internal/wasm/page: cmd/internal/wasm/engine cmd/internal/wasm/border cmd/internal/wasm/questions
    cmd/internal/wasm/pageask
  cmd/internal/wasm/whole: cmd/internal/wasm/engine cmd/internal/wasm/border cmd/internal/wasm/questions
  internal/house:
`
