package agent

import (
	"iter"
	"net/netip"
	"time"

	"github.com/robotsexclusion/robots/internal/address"
)

// Names that only tests use.
const (
	Ads      = forAds
	Archive  = forArchive
	Feed     = forFeed
	Monitor  = forMonitor
	Preview  = forPreview
	Research = forResearch
	SEO      = forSEO
	Security = forSecurity
	Shopping = forShopping
	Social   = forSocial
	Tool     = forTool
	Other    = forOther

	Nothing     = byNothing
	Listed      = byName
	Address     = byAddress
	RobotWord   = byRobotWord
	Playing     = byPlaying
	ToolWord    = byToolWord
	BrowserWord = byBrowserWord
	DeviceWord  = byDeviceWord
	OtherWord   = byOtherWord
	AppWord     = byAppWord

	DelayUnsaid = delayUnsaid
)

// IsRobot reports whether k is a program that fetches pages by itself: a Robot or a
// Program. Browsers and apps fetch what a person asked for.
func (k Kind) IsRobot() bool { return k == Robot || k == Program }

// Nearest is [Table.Nearest] of the table of this package.
func Nearest(name string, others ...string) string { return builtin().Nearest(name, others...) }

// Each, Len, Created and Skipped return parts of Ranges for tests.
func (p Purpose) Each() iter.Seq[Purpose] { return p.each() }
func (r *Ranges) Len() int                { return len(r.prefixes) }
func (r *Ranges) Created() time.Time      { return r.created }
func (r *Ranges) Skipped() int            { return r.skipped }

// Ranges are the addresses of a range document.
type Ranges = addressRanges

// ParseRanges parses a range document.
func ParseRanges(data []byte) (*Ranges, error) { return parseRanges(data) }

// Find returns the longest prefix of r that contains addr.
func (r *Ranges) Find(addr netip.Addr) (netip.Prefix, bool) { return r.find(addr) }

// Contains reports whether a prefix of r contains addr.
func (r *Ranges) Contains(addr netip.Addr) bool { return r.contains(address.Plain(addr)) }
