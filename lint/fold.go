package lint

import (
	"strings"
	"unicode/utf8"
)

// folded returns s with look-alikes of ASCII characters replaced by these, and without
// invisible characters.
func folded(s string) string {
	if isASCII(s) {
		return s
	}
	return strings.Map(foldedRune, s)
}

func foldedRune(c rune) rune {
	switch {
	case c < utf8.RuneSelf:
		return c
	case isInvisible(c):
		return -1
	case isOddBlank(c):
		return ' '
	case 0xFF01 <= c && c <= 0xFF5E: // fullwidth forms of ASCII
		return c - 0xFEE0
	}
	if i := strings.IndexRune(lookAlikes, c); i >= 0 {
		// Each pair is the look-alike, followed by the ASCII character.
		return rune(lookAlikes[i+utf8.RuneLen(c)])
	}
	return c
}

// lookAlikes has characters of other scripts, each followed by the ASCII character that it
// looks like.
const lookAlikes = "аaеeоoрpсcуyхxіiѕsјjԁdһhԛqԝwАAВBЕEКKМMНHОOРPСCТTХXУYІIЅSЈJ" + // Cyrillic
	"αaοoνvρpΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX" + // Greek
	"ıiɡg" + // Latin
	"‐-‑-‒-–-—-―-−-﹣-" + // dashes
	"：:﹕:︰:ː:∶:꞉:" + // colons
	"／/⁄/∕/＊*∗*＃#" + // other characters of robots.txt
	"“\"”\"„\"«\"»\"‘'’'‚'′'″\""

// isInvisible reports whether c is invisible.
func isInvisible(c rune) bool {
	switch {
	case 0x200B <= c && c <= 0x200F, 0x202A <= c && c <= 0x202E, 0x2060 <= c && c <= 0x2064, 0x2066 <= c && c <= 0x2069:
		return true
	}
	return c == 0xFEFF || c == 0x00AD || c == 0x180E || c == 0x061C
}

// isOddBlank reports whether c looks like a blank but is not a blank in robots.txt.
func isOddBlank(c rune) bool {
	return c == 0x00A0 || c == 0x1680 || 0x2000 <= c && c <= 0x200A || c == 0x202F || c == 0x205F || c == 0x3000
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
