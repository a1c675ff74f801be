package say

import (
	"fmt"
	"time"

	"github.com/robotsexclusion/robots/cmd/internal/inforce"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

var (
	textBytes            = language.New("%[1]d ⟨byte/bytes⟩", "%[1]d ⟨byte/bytes⟩", "%[1]d바이트", "%[1]d ⟨байт/байта/байт⟩")
	textCut              = language.New("cut because there was more", "cortado porque había más", "더 있어서 잘림", "обрезан, так как было больше")
	textLooksLikeHTML    = language.New("looks like HTML", "parece HTML", "HTML처럼 보임", "похоже на HTML")
	textByRedirects      = language.New("by %[1]d ⟨redirect/redirects⟩ from %[2]s", "por %[1]d ⟨redirección/redirecciones⟩ desde %[2]s", "리디렉션 %[1]d회를 거쳐 %[2]s에서 가져옴", "через %[1]d ⟨перенаправление/перенаправления/перенаправлений⟩ с %[2]s")
	textCachedAgo        = language.New("cached %[1]s ago", "en caché desde hace %[1]s", "%[1]s 전에 캐시됨", "из кэша, %[1]s назад")
	textNotModified      = language.New("not modified", "sin modificar", "변경되지 않음", "не изменён")
	textFreshUntil       = language.New("fresh until %[1]s", "válido hasta %[1]s", "%[1]s까지 유효", "действителен до %[1]s")
	textUnavailable      = language.New("unavailable, everything is allowed", "no disponible, todo está permitido", "제공되지 않음, 모두 허용됨", "отсутствует, всё разрешено")
	textLongUnreachable  = language.New("unreachable since %[1]s, for more than 30 days (%[2]s)", "inaccesible desde %[1]s, hace más de 30 días (%[2]s)", "%[1]s부터 30일 넘게 접근할 수 없음(%[2]s)", "недоступен с %[1]s, больше 30 дней (%[2]s)")
	textUnreachableSince = language.New("unreachable since %[1]s (%[2]s)", "inaccesible desde %[1]s (%[2]s)", "%[1]s부터 접근할 수 없음(%[2]s)", "недоступен с %[1]s (%[2]s)")
	textNothingAllowed   = language.New("nothing is allowed", "nada está permitido", "아무것도 허용되지 않음", "ничего не разрешено")
	textCopyInForce      = language.New("the copy of %[1]s, %[2]d ⟨byte/bytes⟩, is in force", "rige la copia de %[1]s, %[2]d ⟨byte/bytes⟩", "%[1]s의 사본(%[2]d바이트)이 적용됨", "действует копия от %[1]s, %[2]d ⟨байт/байта/байт⟩")
	textOldCopyInForce   = language.New("a copy of before, %[1]d ⟨byte/bytes⟩, is in force", "rige una copia anterior, %[1]d ⟨byte/bytes⟩", "이전 사본(%[1]d바이트)이 적용됨", "действует прежняя копия, %[1]d ⟨байт/байта/байт⟩")
	textInForceFrom      = language.New("in force from %[1]s", "vigente desde %[1]s", "%[1]s부터 적용", "действует с %[1]s")
	textInForceFromUntil = language.New("in force from %[1]s until %[2]s", "vigente desde %[1]s hasta %[2]s", "%[1]s부터 %[2]s까지 적용", "действует с %[1]s до %[2]s")
	textUnseenSince      = language.New("last asked at %[1]s: nobody knows whether it changed after that", "preguntado por última vez el %[1]s: no se sabe si cambió después", "마지막 확인 %[1]s: 그 뒤에 바뀌었는지는 알 수 없음", "последний запрос %[1]s: менялся ли он потом, неизвестно")
	textNotBefore        = language.New("not asked again before %[1]s", "no se vuelve a pedir antes de %[1]s", "%[1]s 이전에는 다시 요청하지 않음", "повторный запрос не раньше %[1]s")
)

// Fetched returns the outcome of fetching robots.txt as a sentence.
func Fetched(l language.Language, r *fetch.Result) string {
	clock := func(t time.Time) string { return t.UTC().Format(time.RFC3339) }
	cause := printable.Text(r.Cause)
	text := r.Origin + "/robots.txt: "
	switch {
	case l == language.English:
		return r.String()
	case r.State == fetch.OK:
		return text + fetchedFile(l, r) + ", " + textFreshUntil.In(l, clock(r.FreshUntil))
	case r.State == fetch.Unavailable && r.UnreachableSince.IsZero():
		text += cause + ": " + textUnavailable.In(l)
	case r.State == fetch.Unavailable:
		text += textLongUnreachable.In(l, clock(r.UnreachableSince), cause) + ": " + textUnavailable.In(l)
	case r.State == fetch.Forbidden:
		text += cause + ": " + textNothingAllowed.In(l)
	case r.Source == fetch.Stale:
		text += textUnreachableSince.In(l, clock(r.UnreachableSince), cause) + ": " + textCopyInForce.In(l, clock(r.File.ConfirmedAt), r.File.Size)
	default:
		text += textUnreachableSince.In(l, clock(r.UnreachableSince), cause) + ": " + textNothingAllowed.In(l)
	}
	return text + "; " + textNotBefore.In(l, clock(r.FreshUntil))
}

// fetchedFile returns what is known of a file: its size, and how it came.
func fetchedFile(l language.Language, r *fetch.Result) string {
	text := fmt.Sprintf("%d, ", r.Status) + textBytes.In(l, r.File.Size)
	if r.File.Cut {
		text += ", " + textCut.In(l)
	}
	if r.File.HTML {
		text += ", " + textLooksLikeHTML.In(l)
	}
	if n := len(r.Redirects); n > 0 {
		text += ", " + textByRedirects.In(l, n, printable.Text(r.File.URL))
	}
	switch r.Source {
	case fetch.Cached:
		text += ", " + textCachedAgo.In(l, r.Age.Round(time.Second).String())
	case fetch.Revalidated:
		text += ", " + textNotModified.In(l)
	}
	return text
}

// InForce returns which version was in force at a moment as a sentence.
func InForce(l language.Language, v *inforce.Version) string {
	text := fmt.Sprintf("%s/robots.txt, %s: ", v.Origin, v.At)
	switch reason := printable.Text(v.Cause); {
	case v.State == fetch.OK:
		text += fmt.Sprintf("%d, %s", v.Status, textBytes.In(l, v.Size))
		if v.Cut {
			text += ", " + textCut.In(l)
		}
	case v.State == fetch.Unavailable:
		text += reason + ": " + textUnavailable.In(l)
	case v.SHA256 != "":
		text += reason + ": " + textOldCopyInForce.In(l, v.Size)
	default:
		text += reason + ": " + textNothingAllowed.In(l)
	}
	if v.Until.IsZero() {
		text += "; " + textInForceFrom.In(l, inforce.Clock(v.From))
	} else {
		text += "; " + textInForceFromUntil.In(l, inforce.Clock(v.From), inforce.Clock(v.Until))
	}
	if !v.Unseen.IsZero() {
		text += "; " + Unseen(l, v.Unseen)
	}
	return text
}

// Unseen returns the time of the last request as a sentence, for a version that may have changed
// after that.
func Unseen(l language.Language, last time.Time) string {
	return textUnseenSince.In(l, inforce.Clock(last))
}
