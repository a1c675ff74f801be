package agent

// A robot is an entry of the table.
type robot struct {
	name, operator string
	docs, source   string
	checked        string
	tokens         []string // the product token, then its fallbacks
	meta           []string
	ranges, dns    []string
	purposes       Purpose
	obedience      Obedience
	delay          Delay
	alone          bool // it does not obey the group for everyone
	policyOnly     bool // no header shows the robot
	devices        devices
	deviceWords    []string // the names that show its devices
}

// devices says which requests in the name of a robot come from devices of people.
type devices uint8

const (
	noDevices   devices = iota // none, as far as is known
	someDevices                // some: those with deviceWords, or nobody can tell which
	onlyDevices                // all
)

// kind returns the kind of the robot: a tool that anybody may run is a program.
func (r *robot) kind() Kind {
	if r.purposes == forTool && r.operator == "" {
		return Program
	}
	return Robot
}

// A key is a name of a robot, or a word that says something about the header that contains it.
type key struct {
	text   string // in lower case
	shown  uint16 // 1 + the index of the robot with this name in its header, or 0
	token  uint16 // 1 + the index of the robot with this product token, or 0
	device bool   // shown is a robot on a person's device
	class  class
	longer bool // other keys start with these words
}

// class is the meaning of a word. A word may be of several classes.
type class uint32

// The classes of words. The file data/words.txt lists the words of each class.
const (
	robotClass      class = 1 << iota // robots go by it
	toolClass                         // a library or a tool
	libraryClass                      // the same, if it is the first word of the header
	mozillaClass                      // nearly every browser goes by it, and many robots
	browserClass                      // the name of a browser, or what only browsers have
	engineClass                       // what browsers are made of
	systemClass                       // what they run on
	deviceClass                       // what they run on, if that is a phone or the like
	androidClass                      // the name of a device follows
	compatibleClass                   // a name follows, as in those of MSIE
	khtmlClass                        // in one comment, these two come
	geckoClass                        // after each other, and nothing after them
	msieClass                         // a browser that is "compatible"
	othersClass                       // the name of another follows
	plainClass                        // says nothing
	appClass                          // a program by which a person reads, plays or works
	clientClass                       // the same, if it is the first word of the header
	roleClass                         // what such programs say that they are
	runtimeClass                      // what only programs on people's devices are made with
	desktopClass                      // what they run on, if that is a desktop
)

// classNames are the names of the classes in data/words.txt, in the order of their bits.
var classNames = [...]string{
	"robot", "tool", "library", "mozilla", "browser", "engine", "system", "device", "android",
	"compatible", "khtml", "gecko", "msie", "others", "plain", "app", "client", "role", "runtime", "desktop",
}

// A part is a part of words that robots go by.
type part struct {
	text string
	ends bool // it counts only where a part of the word ends
}

// The hash of names is FNV-1a.
const (
	hashStart = 2166136261
	hashPrime = 16777619
)

// find returns the key of a name, or nil. The hash is that of the name.
func (t *Table) find(name string, hash uint32) *key {
	for i := hash >> t.shift; ; i++ {
		n := t.slots[i]
		if n == 0 {
			return nil
		}
		if k := &t.keys[n-1]; equalFold(k.text, name) {
			return k
		}
	}
}
