package accesslog

import "bytes"

// browser are the fields of the combined format after the time.
const browser = ` "$request" $status $bytes_sent "$http_referer" "$http_user_agent"`

// haproxyStart are the fields of HAProxy's format before its queues and captured headers.
const haproxyStart = "$remote_addr_port [$begin_time] $frontend $backend/$server $timers $status $bytes_sent " +
	"$request_cookie $response_cookie $state $counters "

// named are the formats with a name. A line is read in the format of its log if it can be, and
// otherwise in the first of these that can read it, so that formats which accept more come
// later. Lines of two formats must not look alike, unless one of them has a doubt.
var named = []*Format{
	// nginx, Apache, LiteSpeed, lighttpd, Gunicorn, Tomcat and many others. Formats that add
	// fields after these are read too: Icecast, Traefik, and what people add themselves.
	{name: "combined", reader: nginx(open,
		`$remote_addr $ident $remote_user [$begin_time]`+browser)},
	{name: "common", reader: nginx(closed,
		`$remote_addr $ident $remote_user [$begin_time] "$request" $status $bytes_sent`)},
	// A list of X-Forwarded-For in place of the client, as %{X-Forwarded-For}i writes it.
	{name: "combined-forwarded", reader: nginx(open,
		`$chain $ident $remote_user [$begin_time]`+browser)},
	// Such a list and the address that connected, as %{X-Forwarded-For}i %h writes them.
	{name: "forwarded-combined", reader: behindProxy{combinedTail,
		nginx(open, `$remote_user [$begin_time]`+browser)}},
	// Apache's vhost_combined, and nginx with $host before it.
	{name: "vhost-combined", reader: nginx(open,
		`$first_host $remote_addr $ident $remote_user [$begin_time]`+browser)},
	{name: "vhost-common", reader: nginx(closed,
		`$first_host $remote_addr $ident $remote_user [$begin_time] "$request" $status $bytes_sent`)},
	// OVH writes the host where ident stands elsewhere, which is always "-".
	{name: "ovh", reader: nginx(open,
		`$remote_addr $host $remote_user [$begin_time]`+browser)},
	{name: "gandi", reader: nginx(open,
		`$first_host $remote_addr $ident $remote_user [$begin_time] ($request_time s)`+browser)},
	// Without brackets around the time.
	{name: "combined-iso", reader: nginx(open,
		`$remote_addr $ident $remote_user $begin_time`+browser)},
	// Nginx Proxy Manager, docker/rootfs/etc/nginx/conf.d/include/log-proxy.conf.
	{name: "nginx-proxy-manager", reader: nginx(closed,
		`[$time_local] $upstream_cache_status $upstream_status $status - $request_method $scheme $host "$request_uri" [Client $remote_addr] [Length $bytes_sent] [Gzip $gzip] [Sent-to $server] "$http_user_agent" "$http_referer"`)},
	{name: "nginx-proxy-manager-own", reader: nginx(closed,
		`[$time_local] $status - $request_method $scheme $host "$request_uri" [Client $remote_addr] [Length $bytes_sent] [Gzip $gzip] "$http_user_agent" "$http_referer"`)},
	// ZoeyVid/NPMplus, rootfs/usr/local/nginx/conf/nginx.conf. The last two fields have no quotes.
	{name: "npmplus", reader: nginx(closed,
		`[$time_local] $host $remote_addr $request_time "$request" $status `+
			`$bytes_sent $sent $bare_referer $bare_agent`)},
	// https://www.keycdn.com/support/log-forwarding
	{name: "keycdn", reader: nginx(open,
		`[$time_local] $remote_addr $edge "$request" $status $bytes_sent $cache "$http_referer" "$http_user_agent"`)},
	// https://docs.bunny.net/docs/cdn-log-format
	{name: "bunny", reader: nginx(closed,
		`$cache|$status|$begin_time|$bytes_sent|$zone|$remote_addr|`+
			`$http_referer|$request_uri|$edge|$http_user_agent|$id|$country`)},
	// https://docs.haproxy.org/dev/configuration.html#8.2.3
	{name: "haproxy-captures", reader: nginx(open,
		haproxyStart+`$captures "$hashed_line"`)},
	{name: "haproxy", reader: nginx(open,
		haproxyStart+`$queues "$hashed_line"`)},
	// https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html
	{name: "alb", reader: nginx(open,
		`$type $end_time $balancer $remote_addr $target_addr $request_part $request_part $request_part $status $target_status $received $bytes_sent "$request" "$http_user_agent" $cipher $tls $group`)},
	// https://docs.aws.amazon.com/elasticloadbalancing/latest/classic/access-log-collection.html
	{name: "elb", reader: nginx(open,
		`$begin_time $balancer $remote_addr $target_addr $request_part $request_part $request_part $status $target_status $received $bytes_sent "$request" "$http_user_agent" $cipher $tls`)},
	// https://docs.aws.amazon.com/AmazonS3/latest/userguide/LogFormat.html
	{name: "s3", reader: nginx(open,
		`$owner $bucket [$begin_time] $remote_addr $requester $id $operation $key "$request" $status $error $bytes_sent $object_size $request_millis $turn "$http_referer" "$http_user_agent"`)},
	// https://www.envoyproxy.io/docs/envoy/latest/configuration/observability/access_log/usage
	{name: "envoy", reader: nginx(open,
		`[$begin_time] "$request" $status $flags $received $bytes_sent $request_millis $upstream_time "$http_x_forwarded_for" "$http_user_agent" "$id" "$host" "$upstream"`)},
	// https://istio.io/latest/docs/tasks/observability/logs/access-log/#default-access-log-format
	{name: "istio", reader: nginx(open,
		`[$begin_time] "$request" $status $flags $details $termination "$reason" $received $bytes_sent `+
			`$request_millis $upstream_time "$http_x_forwarded_for" "$http_user_agent" "$id" "$host" "$upstream" `+
			`$cluster $local $downstream $remote_addr`)},
	// Zoraxy, src/mod/info/logger/trafficlog.go. Before version 3.2.0 the lines had no User-Agent,
	// and before 3.2.1 no host.
	{name: "zoraxy", reader: afterDate{nginx(closed,
		`[$time_local] [router:$router] [origin:$host] [client: $remote_addr] [useragent: $http_user_agent] $request_method $request_uri $status`)}},
	{name: "zoraxy-old", reader: afterDate{nginx(closed,
		`[$time_local] [router:$router] [origin:$host] [client $remote_addr] $request_method $request_uri $status`)}},
	{name: "cloudfront", reader: cloudFront},
	{name: "cloudfront-realtime", reader: realTime},
	{name: "iis", reader: iisNative{}},
	{name: "iis-xml", reader: eventXML{}},

	{name: "caddy", reader: caddy},
	{name: "traefik", reader: traefik},
	{name: "envoy-json", reader: envoyJSON},
	{name: "cloudflare", reader: cloudflare},
	{name: "google-cloud", reader: googleCloud},
	{name: "robots-guard", reader: robotsGuard},

	// Any JSON objects, logfmt and LTSV, by the names of their members and keys.
	{name: "json", reader: general{readObject}},
	{name: "logfmt", reader: general{readPairs}},
	{name: "ltsv", reader: general{readLabels}},

	// Servers that look up the names of clients (HostnameLookups On).
	{name: "combined-names", doubt: namesDoubt, reader: nginx(open,
		`$remote_name $ident $plain_user [$begin_time]`+browser)},
	{name: "common-names", doubt: namesDoubt, reader: nginx(closed,
		`$remote_name $ident $plain_user [$begin_time] "$request" $status $bytes_sent`)},
}

const namesDoubt = "the first field is a name: it is read as the name of the client, and may be that of the virtual host"

// Whether text may follow the last field.
const (
	closed = false
	open   = true
)

// nginx compiles a format of the list.
func nginx(open bool, text string) *template {
	t, err := parseNginx(text)
	if err != nil {
		panic(err)
	}
	t.open = open
	return t
}

// An afterDate reads lines that may have a date before their first bracket. Zoraxy writes the date
// of Go's package log there, but only after the first change of the month in the life of the
// process.
type afterDate struct{ *template }

func (a afterDate) read(line []byte, d *draft) (reason string) {
	if i := bytes.IndexByte(line, '['); i > 0 && line[i-1] == ' ' {
		line = line[i:]
	}
	return a.template.read(line, d)
}
