package robotsguard

import (
	"strconv"

	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
)

func init() {
	httpcaddyfile.RegisterHandlerDirective("robots_guard", func(h httpcaddyfile.Helper) (caddyhttp.MiddlewareHandler,
		error) {
		guard := new(Handler)
		return guard, guard.UnmarshalCaddyfile(h.Dispenser)
	})
	// Redirects and rewrites come after the decision.
	httpcaddyfile.RegisterDirectiveOrder("robots_guard", httpcaddyfile.Before, "redir")
}

// UnmarshalCaddyfile reads the directive:
//
//	robots_guard {
//		robots       FILE
//		upstream     URL
//		observe
//		status       CODE
//		methods      METHOD...
//		pass_path    PATH...
//		pass_address ADDRESS...
//		pass_header  FIELD...
//		no_pace
//		literal
//		fail_closed
//		preferences
//		robots_tag   DIRECTIVES
//		paid_license URI...
//		ranges       FOLDER
//		verify
//		verify_first
//		dns          ADDRESS
//		signer       TOKEN=ORIGIN...
//		host         NAME...
//		nats         URL
//		site         NAME
//		log          FILE
//	}
//
// paid_license, signer, host and the options of exceptions may be repeated.
func (h *Handler) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // the directive
	if d.NextArg() {
		return d.ArgErr()
	}
	for d.NextBlock(0) {
		if err := h.option(d, d.Val()); err != nil {
			return err
		}
	}
	if err := h.check(); err != nil {
		return d.WrapErr(err)
	}
	return nil
}

// option reads an option with its arguments.
func (h *Handler) option(d *caddyfile.Dispenser, name string) error {
	texts := map[string]*string{
		"robots": &h.Robots, "upstream": &h.Upstream, "robots_tag": &h.RobotsTag, "ranges": &h.Ranges, "dns": &h.DNS,
		"nats": &h.NATS, "site": &h.Site, "log": &h.Log,
	}
	lists := map[string]*[]string{
		"paid_license": &h.PaidLicenses, "signer": &h.Signers, "host": &h.Hosts, "methods": &h.Methods,
		"pass_path": &h.PassPaths, "pass_address": &h.PassAddresses, "pass_header": &h.PassHeaders,
	}
	flags := map[string]*bool{
		"observe": &h.Observe, "no_pace": &h.NoPace, "literal": &h.Literal, "fail_closed": &h.FailClosed,
		"preferences": &h.Preferences, "verify": &h.Verify, "verify_first": &h.VerifyFirst,
	}
	var value string
	switch text, list, flag := texts[name], lists[name], flags[name]; {
	case text != nil:
		if !d.AllArgs(text) {
			return d.ArgErr()
		}
	case list != nil:
		values := d.RemainingArgs()
		if len(values) == 0 {
			return d.ArgErr()
		}
		*list = append(*list, values...)
	case flag != nil:
		*flag = true
		if d.NextArg() {
			return d.ArgErr()
		}
	case name == "status":
		if !d.AllArgs(&value) {
			return d.ArgErr()
		}
		status, err := strconv.Atoi(value)
		if err != nil || status == 0 {
			return d.Errf("the status %q is not a number from 400 to 499", value)
		}
		h.Status = status
	default:
		return d.Errf("robots_guard has no option %q; the options are robots, upstream, observe, status, methods, pass_path, pass_address, pass_header, no_pace, literal, fail_closed, preferences, robots_tag, "+
			"paid_license, ranges, verify, verify_first, dns, signer, host, nats, site and log", name)
	}
	return nil
}
