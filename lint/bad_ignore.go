package lint

import "github.com/robotsexclusion/robots/internal/language"

var badIgnore = &Check{
	Name:     "bad-ignore",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		for _, i := range p.ignores.all {
			switch {
			case !i.known || len(i.checks) == 0:
				p.report(i.at, textIgnoreForm)
				continue
			case i.reason == "":
				p.report(i.at, textIgnoreReason)
			}
			for _, name := range i.checks {
				if p.find(name) == nil {
					p.report(i.at, textIgnoreUnknown, name)
				}
			}
		}
	},
}

var (
	textIgnoreForm = language.New(
		"this is neither \"ignore CHECK reason\" nor \"ignore-file CHECK reason\": nothing is ignored",
		"esto no es «ignore CHECK motivo» ni «ignore-file CHECK motivo»: no se ignora nada",
		"\"ignore CHECK 이유\"도 \"ignore-file CHECK 이유\"도 아닙니다. 아무것도 무시하지 않습니다",
		"это не «ignore CHECK причина» и не «ignore-file CHECK причина»: ничего не пропускается",
	)
	textIgnoreReason = language.New(
		"say after the name of the check why it is to be ignored, for those who read this after you",
		"diga tras el nombre de la comprobación por qué se ignora, para quien lo lea después",
		"나중에 읽는 사람을 위해 검사 이름 뒤에 무시하는 이유를 쓰십시오",
		"после имени проверки напишите, почему её нужно пропустить, для тех, кто прочтёт это после вас",
	)
	textIgnoreUnknown = language.New(
		"no check is called \"%[1]s\": nothing is ignored",
		"ninguna comprobación se llama «%[1]s»: no se ignora nada",
		"\"%[1]s\"(이)라는 검사는 없습니다. 아무것도 무시하지 않습니다",
		"нет проверки с именем «%[1]s»: ничего не пропускается",
	)
)
