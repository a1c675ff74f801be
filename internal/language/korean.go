package language

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// An ending is the final sound of a text. Korean particles depend on it.
type ending int

const (
	vowel ending = iota
	consonant
	rieul // ㄹ, after which 로 stands and not 으로
)

// particle returns the particle that follows a text: choice 0 after a consonant, 1
// after a vowel.
func particle(choices []string, text string) int {
	switch endingOf(text) {
	case vowel:
		return 1
	case rieul:
		if choices[0] == "으로" {
			return 1
		}
	}
	return 0
}

// endingOf returns the final sound of a text when it is read aloud. Signs at the end,
// such as quotes and brackets, are silent.
func endingOf(text string) ending {
	word := strings.TrimRightFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("\"'`’”)]}>.,:;", r)
	})
	last, _ := utf8.DecodeLastRuneInString(word)
	switch {
	case last >= '가' && last <= '힣':
		switch (last - '가') % 28 {
		case 0:
			return vowel
		case 8:
			return rieul
		}
		return consonant
	case last >= '0' && last <= '9':
		// 영 일 이 삼 사 오 육 칠 팔 구
		return [...]ending{consonant, rieul, vowel, consonant, vowel, vowel, consonant, rieul, rieul, vowel}[last-'0']
	case last >= 'A' && last <= 'Z':
		return endingOfLetter(last)
	case last >= 'a' && last <= 'z':
		return endingOfWord(strings.ToLower(word))
	}
	return vowel // such as "/", pronounced 슬래시
}

// endingOfLetter returns the final sound of the name of a letter: 엘, 엠, 엔, 알.
func endingOfLetter(r rune) ending {
	switch r {
	case 'L', 'R':
		return rieul
	case 'M', 'N':
		return consonant
	}
	return vowel
}

// endingOfWord returns the final sound of an English word in Korean pronunciation: 구글,
// 봇, 크롤러, 빙, 텍스트. It goes by letters, and may be wrong for odd words.
func endingOfWord(word string) ending {
	switch {
	case strings.HasSuffix(word, "le"), strings.HasSuffix(word, "l"):
		return rieul
	case strings.HasSuffix(word, "ng"), strings.HasSuffix(word, "ck"), strings.HasSuffix(word, "me"),
		strings.HasSuffix(word, "ne"):
		return consonant
	}
	switch last := len(word) - 1; word[last] {
	case 'm', 'n':
		return consonant
	case 'b', 'k', 'p', 't', 'c':
		// After a vowel the consonant closes the syllable (봇), and otherwise it has its
		// own syllable (텍스트).
		if last == 0 || strings.IndexByte("aeiouy", word[last-1]) >= 0 {
			return consonant
		}
	}
	return vowel
}
