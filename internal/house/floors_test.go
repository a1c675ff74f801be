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

  internal/binread:
  internal/buildversion:
  internal/byteclass:
    tests: internal/percent
  internal/cable:
  internal/corpus:
  internal/filecheck:
  internal/filelock: golang.org/x/sys/windows
  internal/flight:
  internal/freeport:
  internal/fulldisk:
  internal/gunzip:
  internal/htmltoken: golang.org/x/net/html
    tests: internal/corpus internal/htmltoken/slowtoken
  internal/jsonl:
  internal/language:
  internal/marks: golang.org/x/sys/cpu
  internal/natsclient: github.com/nats-io/nats.go
  internal/nearest:
  internal/parallel:
  internal/parquet:
    tests: github.com/parquet-go/parquet-go
  internal/percent:
  internal/printable:
  internal/reexec:
  internal/renewed:
  internal/robotlist:
  internal/shellwords:
  internal/shortpaths:
  internal/testlog:
  internal/urlquery: golang.org/x/text
  internal/userfile:
  internal/utf16text:
  internal/word:
  internal/zstd: github.com/cespare/xxhash/v2
    tests: github.com/klauspost/compress
  server/web:

engine: packages that make the floors above fast

  internal/columns: internal/language
  internal/htmltoken/slowtoken: golang.org/x/net/html
  internal/htmltree: internal/htmltoken
  internal/logtail: internal/printable
  internal/matchtext: internal/language
    tests: .
  internal/ruleindex: internal/byteclass internal/word
    tests: internal/corpus
  internal/urlcheck: internal/printable
  internal/usage: github.com/spf13/cobra github.com/spf13/pflag internal/language internal/nearest
    internal/printable

ground: the standard library only, so that the library has no dependencies

  .: internal/byteclass internal/percent internal/printable internal/ruleindex internal/urlcheck
    internal/word
    tests: conformance internal/corpus
  agent/botauth:
  conformance:
  internal/httpfield: internal/printable

1: what a robot needs besides the text of one file

  accesslog: github.com/therootcompany/xz internal/gunzip internal/marks internal/percent
    internal/printable internal/zstd
    tests: github.com/klauspost/compress internal/corpus internal/freeport internal/testlog
  agent: . internal/nearest internal/printable internal/robotlist
    tests: golang.org/x/net/dns/dnsmessage internal/corpus
  ask: . conformance internal/jsonl internal/printable
  compat/temoto: .
  crawl/internal/journal: github.com/klauspost/compress github.com/nats-io/nats-server/v2
    github.com/nats-io/nats.go internal/filecheck internal/filelock internal/natsclient
    internal/printable
    tests: internal/corpus internal/freeport internal/fulldisk internal/reexec
  crawl/internal/pace: . internal/binread
  crawl/internal/store: github.com/cockroachdb/pebble/v2 internal/filecheck internal/filelock
    internal/printable
    tests: internal/corpus internal/fulldisk internal/reexec
  crawl/result: internal/printable
  crawl/sitemap: golang.org/x/net/html golang.org/x/text internal/printable
    tests: internal/corpus
  crawl/warc: github.com/klauspost/compress internal/filecheck internal/filelock internal/printable
    tests: internal/corpus internal/fulldisk internal/reexec
  export/internal/layers: .
    tests: internal/corpus
  fetch: . golang.org/x/net/idna internal/filelock internal/flight internal/httpfield
    internal/printable internal/renewed
  format: . internal/printable
    tests: internal/corpus
  internal/command: github.com/spf13/cobra github.com/spf13/pflag golang.org/x/sys/windows
    golang.org/x/term internal/buildversion internal/language internal/nearest internal/printable
    internal/usage internal/userfile
    tests: internal/reexec
  internal/demoweb: . internal/columns internal/language internal/printable
  internal/engine: . internal/printable
    tests: agent conformance internal/corpus internal/testrequest server
  internal/gitfile: internal/printable internal/userfile
  internal/requestrate: .
  internal/scripttest: github.com/rogpeppe/go-internal/testscript github.com/spf13/cobra
    github.com/spf13/pflag golang.org/x/net/dns/dnsmessage internal/usage
  internal/seeds: golang.org/x/net/html golang.org/x/text internal/htmltoken internal/htmltree
    internal/printable
    tests: internal/corpus
  internal/testweb: . golang.org/x/net/dns/dnsmessage golang.org/x/net/html internal/printable
    internal/urlcheck
    tests: internal/corpus page
  internal/weburl: github.com/nlnwa/whatwg-url golang.org/x/net/publicsuffix internal/percent
    internal/printable internal/urlquery
    tests: fetch golang.org/x/text internal/corpus
  page: . golang.org/x/net/html internal/htmltoken internal/htmltree internal/jsonl
    internal/language internal/matchtext internal/printable internal/urlquery
    tests: internal/corpus internal/htmltoken/slowtoken
  pathset: . internal/percent
    tests: internal/corpus internal/shortpaths
  server/api: internal/printable
    tests: fetch server

2: packages above sets of paths, URLs, and pages

  agent/keydir: agent/botauth fetch internal/flight internal/httpfield internal/printable
  audit: . accesslog agent internal/requestrate internal/urlcheck
    tests: internal/corpus internal/gunzip internal/testlog
  crawl/internal/trap: internal/percent internal/printable internal/weburl
    tests: internal/corpus
  export/internal/pathregex: . export/internal/layers internal/percent
  fetch/natscache: fetch github.com/nats-io/nats.go internal/flight internal/natsclient
    internal/printable
    tests: github.com/nats-io/nats-server/v2 internal/cable internal/freeport internal/reexec
  guard: . agent agent/botauth fetch internal/percent internal/printable internal/requestrate
    internal/urlcheck
    tests: golang.org/x/net/dns/dnsmessage internal/corpus internal/slowguard
  internal/download: fetch github.com/andybalholm/brotli internal/flight internal/httpfield
    internal/printable internal/zstd
    tests: github.com/klauspost/compress
  internal/engine/border: internal/engine internal/printable
  internal/identify: agent internal/language internal/printable internal/userfile
  internal/index: github.com/blevesearch/bleve github.com/blevesearch/bleve_index_api
    go.etcd.io/bbolt/errors golang.org/x/net/html golang.org/x/text internal/htmltoken
    internal/htmltree internal/language internal/printable internal/userfile page
    tests: internal/corpus internal/fulldisk internal/reexec
  internal/inforce: . fetch internal/printable internal/userfile
  internal/pageserver: internal/httpfield internal/printable server/api server/web
  internal/rdap: fetch internal/printable
  internal/slowguard: . agent
  internal/survey: . agent fetch internal/columns internal/language internal/parallel
    internal/printable internal/userfile
  internal/testrequest: . agent
  proof: . agent internal/language internal/printable pathset
    tests: internal/corpus internal/shortpaths

3: packages that need proofs or follow a crawl

  export/internal/headerregex: agent export/internal/pathregex
    tests: internal/corpus
  inquire: . agent fetch internal/download internal/flight internal/language internal/parallel
    internal/printable internal/renewed internal/urlcheck page
  internal/auditrows: accesslog agent audit internal/parquet internal/printable
    tests: github.com/parquet-go/parquet-go
  internal/auditsites: audit fetch internal/gitfile internal/language internal/printable
    internal/userfile
    tests: .
  internal/guardoptions: . agent agent/keydir fetch guard internal/buildversion page
  internal/guardserver: agent github.com/prometheus/client_golang guard internal/printable
    tests: . accesslog agent/botauth agent/keydir internal/corpus internal/freeport internal/reexec
      internal/slowguard internal/testrequest
  internal/guardshare: agent github.com/nats-io/nats.go guard internal/natsclient internal/printable
    tests: . github.com/nats-io/nats-server/v2 internal/cable internal/freeport internal/reexec
  internal/index/feed: crawl/result crawl/warc internal/download internal/index internal/language
    internal/printable internal/weburl page
    tests: crawl fetch golang.org/x/text internal/corpus internal/fulldisk
  internal/robottest: accesslog agent audit internal/columns internal/language internal/printable
    tests: .
  lint: . agent internal/columns internal/language internal/nearest internal/printable
    internal/utf16text pathset proof
    tests: internal/corpus
  merge: . agent format internal/language internal/printable pathset proof
    tests: github.com/rogpeppe/go-internal/txtar internal/corpus internal/shortpaths

4: the editor, the texts, the robot, and configuration

  crawl: . agent/botauth crawl/internal/journal crawl/internal/pace crawl/internal/store
    crawl/internal/trap crawl/result crawl/sitemap crawl/warc fetch internal/binread
    internal/download internal/filecheck internal/httpfield internal/percent internal/printable
    internal/renewed internal/urlcheck internal/weburl page
    tests: github.com/nats-io/nats-server/v2 internal/corpus internal/fulldisk internal/reexec
      internal/testweb
  export: . agent export/internal/headerregex export/internal/layers export/internal/pathregex
    internal/printable
    tests: accesslog internal/corpus internal/exportcheck internal/testrequest
  internal/auditlive: accesslog agent audit internal/auditrows internal/logtail internal/printable
    internal/userfile
    tests: github.com/prometheus/client_golang internal/auditreport
  internal/auditreport: accesslog audit internal/auditsites internal/columns internal/identify
    internal/language internal/percent internal/printable internal/rdap
    tests: golang.org/x/net/html internal/corpus
  internal/lintsite: . crawl/sitemap fetch internal/httpfield internal/inforce internal/printable
    internal/userfile lint
  internal/robotnames: . agent internal/language internal/printable merge proof
  internal/say: . agent agent/botauth agent/keydir conformance fetch inquire internal/columns
    internal/inforce internal/language internal/matchtext internal/printable page proof
  lsp: . agent format github.com/creachadair/jrpc2 internal/language internal/printable lint pathset
    proof
    tests: internal/corpus
  monitor: . fetch inquire internal/filelock internal/httpfield internal/language internal/printable
    internal/renewed internal/utf16text proof
    tests: agent internal/reexec

5: what talks to a running robot or web server

  crawl/control: crawl github.com/prometheus/client_golang internal/printable internal/weburl
    tests: crawl/internal/pace crawl/result fetch
  internal/analyse: . agent internal/language internal/printable internal/robotnames lint pathset
    proof server/api
  internal/crawltext: crawl crawl/result internal/columns internal/language internal/printable
  internal/exportcheck: . agent export internal/freeport
  internal/monitorshare: github.com/nats-io/nats.go internal/natsclient internal/printable monitor
  internal/records: . agent internal/columns internal/language internal/printable internal/say
  monitor/notify: internal/httpfield internal/language internal/printable monitor
    tests: fetch

6: what programs in other languages ask

  internal/auditask: accesslog agent audit internal/auditreport internal/auditsites internal/engine
    internal/language internal/printable
  internal/engine/questions: . agent format internal/analyse internal/engine internal/printable lint
    page server/api
  internal/pageask: . agent internal/engine internal/printable merge pathset proof
  server: . agent ask fetch inquire internal/analyse internal/httpfield internal/printable
    internal/urlcheck server/api
    tests: conformance internal/scripttest lint proof

roof: programs, and the rules of the house

  cmd/robots: . accesslog agent agent/botauth agent/keydir ask audit conformance export fetch format
    github.com/spf13/cobra github.com/spf13/pflag golang.org/x/term inquire internal/auditlive
    internal/auditreport internal/auditrows internal/auditsites internal/buildversion
    internal/columns internal/command internal/exportcheck internal/identify internal/inforce
    internal/jsonl internal/language internal/lintsite internal/nearest internal/parallel
    internal/printable internal/rdap internal/records internal/robotnames internal/robottest
    internal/say internal/shellwords internal/survey internal/usage internal/userfile lint lsp merge
    page proof
    tests: github.com/andybalholm/brotli github.com/klauspost/compress
      github.com/rogpeppe/go-internal/testscript internal/scripttest
  cmd/robots-crawl: . agent agent/botauth crawl crawl/control crawl/result crawl/warc fetch
    github.com/spf13/cobra github.com/spf13/pflag internal/command internal/crawltext
    internal/demoweb internal/index internal/index/feed internal/language internal/pageserver
    internal/printable internal/seeds internal/usage internal/userfile server/web
    tests: github.com/rogpeppe/go-internal/testscript internal/robottest internal/scripttest
  cmd/robotsd: . fetch fetch/natscache github.com/prometheus/client_golang github.com/spf13/cobra
    github.com/spf13/pflag guard internal/buildversion internal/command internal/gitfile
    internal/guardoptions internal/guardserver internal/guardshare internal/language
    internal/monitorshare internal/pageserver internal/printable internal/renewed internal/userfile
    monitor monitor/notify proof server server/web
    tests: accesslog audit github.com/nats-io/nats-server/v2 github.com/nats-io/nats.go
      github.com/rogpeppe/go-internal/testscript internal/cable internal/freeport
      internal/scripttest server/api
  internal/engine/audit: internal/auditask internal/engine internal/engine/border
  internal/engine/core: internal/engine internal/engine/border
  internal/engine/page: internal/engine internal/engine/border internal/engine/questions
    internal/pageask
  internal/engine/whole: internal/engine internal/engine/border internal/engine/questions
  internal/house:
`
