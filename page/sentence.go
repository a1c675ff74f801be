package page

import (
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/matchtext"
	"github.com/robotsexclusion/robots/internal/printable"
)

// The parts of the sentence about a decision.
var (
	textIndexed            = language.New("may be indexed", "se puede indexar", "색인 가능", "можно индексировать")
	textNotIndexed         = language.New("may not be indexed", "no se puede indexar", "색인 불가", "нельзя индексировать")
	textFollowed           = language.New("links may be followed", "se pueden seguir los enlaces", "링크를 따라가도 됨", "по ссылкам можно переходить")
	textNotFollowed        = language.New("links may not be followed", "no se pueden seguir los enlaces", "링크를 따라가면 안 됨", "по ссылкам нельзя переходить")
	textWhereEmbedded      = language.New("but where it is embedded", "salvo donde está incrustada", "다만 다른 페이지에 삽입된 경우는 가능", "кроме случаев, когда она встроена")
	textUntil              = language.New("until %[1]s", "hasta %[1]s", "%[1]s까지", "до %[1]s")
	textNoCopy             = language.New("no copy may be shown", "no se puede mostrar una copia", "저장된 사본 표시 불가", "нельзя показывать копию")
	textNoSnippet          = language.New("no snippet may be shown", "no se puede mostrar un fragmento", "발췌문 표시 불가", "нельзя показывать фрагмент")
	textMaxSnippet         = language.New("snippets have at most %[1]d characters", "los fragmentos tienen como máximo %[1]d ⟨carácter/caracteres⟩", "발췌문은 최대 %[1]d자", "во фрагменте не больше %[1]d ⟨знака/знаков/знаков⟩")
	textNoPicture          = language.New("no picture may be shown", "no se puede mostrar ninguna imagen", "이미지 표시 불가", "нельзя показывать изображения")
	textPictureSize        = language.New("pictures may be shown in size %[1]s", "las imágenes se pueden mostrar en tamaño %[1]s", "이미지는 %[1]s 크기로 표시 가능", "изображения можно показывать в размере %[1]s")
	textStillPicture       = language.New("of videos only a still picture may be shown", "de los vídeos solo se puede mostrar una imagen fija", "동영상은 정지 화면만 표시 가능", "от видео можно показывать только кадр")
	textMaxVideo           = language.New("videos may be shown for at most %[1]d seconds", "los vídeos se pueden mostrar %[1]d ⟨segundo/segundos⟩ como máximo", "동영상은 최대 %[1]d초까지 표시 가능", "видео можно показывать не дольше %[1]d ⟨секунды/секунд/секунд⟩")
	textNoTranslation      = language.New("no translation may be offered", "no se puede ofrecer una traducción", "번역 제공 불가", "нельзя предлагать перевод")
	textPicturesNotIndexed = language.New("pictures may not be indexed", "no se pueden indexar las imágenes", "이미지 색인 불가", "изображения нельзя индексировать")
	textNoTraining         = language.New("may not be used to train AI", "no se puede usar para entrenar IA", "AI 학습에 사용 불가", "нельзя использовать для обучения ИИ")
	textNoPictureTraining  = language.New("pictures may not be used to train AI", "las imágenes no se pueden usar para entrenar IA", "이미지를 AI 학습에 사용 불가", "изображения нельзя использовать для обучения ИИ")
	textNotRead            = language.New("not read: %[1]s", "no se leyó: %[1]s", "읽지 못함: %[1]s", "не прочитано: %[1]s")
)

// String returns [Decision.Sentence] in English.
func (d *Decision) String() string { return d.sentence(language.English) }

// Sentence returns the decision as one line, such as "may not be indexed (line 4: noindex),
// links may be followed". Topics that the page does not mention are left out, except for these
// two. For a page that was not read, the line has the reason. The language is a code of ISO
// 639-1 (en, es, ko or ru), or the value of an environment variable such as LANG. Any other
// value means English.
func (d *Decision) Sentence(languageCode string) string {
	return d.sentence(language.Parse(languageCode))
}

func (d *Decision) sentence(l language.Language) string {
	if d.Err != nil {
		return textNotIndexed.In(l) + ", " + textNotFollowed.In(l) + ": " + textNotRead.In(l, printable.Text(language.Explain(l, d.Err)))
	}
	var b strings.Builder
	add := func(text string, t topic) {
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString(text)
		b.WriteString(because(l, d.why(t)))
	}
	either := func(may bool, yes, no language.Text) string {
		if may {
			return yes.In(l)
		}
		return no.In(l)
	}
	add(either(d.Index, textIndexed, textNotIndexed), indexing)
	if d.IndexIfEmbedded {
		add(textWhereEmbedded.In(l), embedding)
	}
	if !d.UnavailableAfter.IsZero() && !d.expired(d.now) {
		add(textUntil.In(l, d.UnavailableAfter.Format(time.RFC3339)), expiry)
	}
	add(either(d.Follow, textFollowed, textNotFollowed), following)
	for _, c := range []struct {
		topic topic
		says  bool
		text  language.Text
		arg   any
	}{
		{archiving, !d.Archive, textNoCopy, nil},
		{snippets, !d.Snippet, textNoSnippet, nil},
		{snippets, d.MaxSnippet > 0, textMaxSnippet, d.MaxSnippet},
		{imagePreviews, d.MaxImagePreview == noImage, textNoPicture, nil},
		{imagePreviews, d.MaxImagePreview == standardImage || d.MaxImagePreview == largeImage, textPictureSize, d.MaxImagePreview},
		{videoPreviews, d.MaxVideoPreview == 0, textStillPicture, nil},
		{videoPreviews, d.MaxVideoPreview > 0, textMaxVideo, d.MaxVideoPreview},
		{translation, !d.Translate, textNoTranslation, nil},
		{imageIndexing, !d.ImageIndex, textPicturesNotIndexed, nil},
		{training, !d.AI, textNoTraining, nil},
		{imageTraining, d.AI && !d.ImageAI, textNoPictureTraining, nil},
	} {
		switch {
		case c.says && c.arg != nil:
			add(c.text.In(l, c.arg), c.topic)
		case c.says:
			add(c.text.In(l), c.topic)
		}
	}
	return b.String()
}

var (
	textLine    = language.New("line %[1]d", "línea %[1]d", "%[1]d행", "строка %[1]d")
	textAndMore = language.New("and %[1]d more", "y %[1]d más", "그 밖에 %[1]d개", "и ещё %[1]d")
)

// because returns directives with their sources in parentheses.
func because(l language.Language, by []Directive) string {
	const most = 3
	if len(by) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(" (")
	for i, d := range by {
		if i == most {
			b.WriteString(" " + textAndMore.In(l, len(by)-most))
			break
		}
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(d.cited(l))
	}
	b.WriteByte(')')
	return b.String()
}

// cited returns the directive with its source: "line 4: noindex".
func (d Directive) cited(l language.Language) string { return d.Source.in(l) + ": " + d.String() }

// in returns the source in a language: "line 4" for a place in the page, and otherwise the
// words of the protocol, such as "X-Robots-Tag 1".
func (s Source) in(l language.Language) string {
	if s.Line > 0 {
		return textLine.In(l, s.Line)
	}
	return s.String()
}

var (
	textMayBeFollowed    = language.New("may be followed", "se puede seguir", "따라가도 됨", "можно переходить")
	textMayNotBeFollowed = language.New("may not be followed", "no se puede seguir", "따라가면 안 됨", "нельзя переходить")
)

// String returns [LinkDecision.Sentence] in English.
func (d LinkDecision) String() string { return d.Sentence("") }

// Sentence returns the decision with its reason, such as "may not be followed (line 9:
// rel=nofollow)". For the language see [Decision.Sentence].
func (d LinkDecision) Sentence(languageCode string) string {
	l := language.Parse(languageCode)
	text := textMayBeFollowed
	if !d.Follow {
		text = textMayNotBeFollowed
	}
	return text.In(l) + because(l, d.By)
}

var (
	textMayBeFetched    = language.New("may be fetched: %[1]s", "se puede obtener: %[1]s", "가져올 수 있음: %[1]s", "можно получить: %[1]s")
	textMayNotBeFetched = language.New("may not be fetched: %[1]s", "no se puede obtener: %[1]s", "가져올 수 없음: %[1]s", "нельзя получить: %[1]s")
	textNothingSeen     = language.New("so nothing that the page says is ever seen", "así que nunca se ve nada de lo que dice la página", "따라서 페이지의 지시는 전혀 읽히지 않음", "поэтому ничего из того, что говорит страница, не будет увидено")
	textNeverSeen       = language.New("so its %[1]s is never seen", "así que su %[1]s no se ve nunca", "따라서 페이지의 %[1]s⟨은/는⟩ 전혀 읽히지 않음", "поэтому её %[1]s никогда не будет увидено")
	textAreNeverSeen    = language.New("so its %[1]s and %[2]s are never seen", "así que sus %[1]s y %[2]s no se ven nunca", "따라서 페이지의 %[1]s, %[2]s⟨은/는⟩ 전혀 읽히지 않음", "поэтому её %[1]s и %[2]s никогда не будут увидены")
)

// String returns [Verdict.Sentence] in English.
func (v Verdict) String() string { return v.Sentence("") }

// Sentence returns the verdict with its reasons, such as "may not be fetched: disallowed by
// line 2: Disallow: /x; so its noindex (line 4) is never seen". For the language see
// [Decision.Sentence].
func (v Verdict) Sentence(languageCode string) string {
	l := language.Parse(languageCode)
	match := matchtext.Sentence(l, v.Match.Allowed, v.Match.Reason.String(), v.Match.Rule.Line, v.Match.Rule.String())
	if v.Fetch {
		s := textMayBeFetched.In(l, match)
		if v.Decision != nil {
			s += "; " + v.Decision.sentence(l)
		}
		return s
	}
	s := textMayNotBeFetched.In(l, match) + "; "
	var unseen []string
	if v.Decision != nil {
		for _, d := range v.Decision.InForce() {
			unseen = append(unseen, d.String()+" ("+d.Source.in(l)+")")
		}
	}
	switch n := len(unseen); n {
	case 0:
		return s + textNothingSeen.In(l)
	case 1:
		return s + textNeverSeen.In(l, unseen[0])
	default:
		return s + textAreNeverSeen.In(l, strings.Join(unseen[:n-1], ", "), unseen[n-1])
	}
}
