package index

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Korean writes particles, endings and the plural after a word without a blank: 로봇,
// 로봇이, 로봇을, 로봇들에게서. A dictionary that splits such words is larger than this whole
// program may be. So the index has the pairs of syllables of a word, as for Chinese and
// Japanese, which also finds a word in a compound; and a query looks for the pairs of
// the stem only.

// suffixes has particles, which may follow any word, and endings, which may follow a
// word of at least two syllables: most endings make a verb or an adjective from a noun,
// and cutting them from a short word without an ending would leave too little.
var suffixes = maxFirst(
	`은 는 이 가 을 를 의 에 와 과 도 로 만 께 나 랑 야
	에는 에도 에서 에게 에만 께서 한테 으로 로서 로써 로는 로도 라는 라고 이나 이란 이며 이고 이라 까지 부터 마다 보다 처럼 만큼 조차 마저 밖에
	에서는 에서도 에서의 에게서 에게는 으로서 으로써 으로는 으로도 으로의 이라는 이라고 까지는 까지의 부터는`,
	`들 적 인 한 할 함 된 될 됨 다
	적인 적으로 이다 입니다
	하고 하는 하다 한다 하며 하여 하지 해야 하면 했다 합니다 했습니다 하기 하도록
	되고 되는 되다 된다 되며 되어 되지 됩니다 됐다 되었다 시키는`)

// A suffix may follow a word with at least a number of syllables.
type suffix struct {
	text string
	left int
}

func maxFirst(particles, endings string) (list []suffix) {
	for s := range strings.FieldsSeq(particles) {
		list = append(list, suffix{s, 1})
	}
	for s := range strings.FieldsSeq(endings) {
		list = append(list, suffix{s, 2})
	}
	slices.SortStableFunc(list, func(a, b suffix) int { return len(b.text) - len(a.text) })
	return list
}

// koreanStem returns a word in Hangul without its particles and endings.
func koreanStem(word string) string {
	for range 3 { // for example plural, place and topic
		stem := cutSuffix(word)
		if stem == word {
			break
		}
		word = stem
		if utf8.RuneCountInString(word) <= 2 {
			break // 고양이를 becomes 고양이, 고양, and not 고
		}
	}
	return word
}

// cutSuffix returns a word without the longest suffix that may be cut off.
func cutSuffix(word string) string {
	for _, s := range suffixes {
		if stem, ok := strings.CutSuffix(word, s.text); ok && utf8.RuneCountInString(stem) >= s.left {
			return stem
		}
	}
	return word
}
