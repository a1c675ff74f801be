package lint

var urlAsRule = &Check{
	Name:     "url-as-rule",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.rules(func(l *line) {
			if classOf(l.Value) != valueURL {
				return
			}
			host := hostOctets(l.Value)
			d := p.report(l.value(), textURLAsRule)
			path := l.Value[host:]
			if path == "" || path[0] != '/' {
				path = "/" + path
			}
			d.Fix = &Fix{Title: p.say(textDropHost, path), Effect: addsRule(l), Edits: []Edit{l.value().edit(path)}}
		})
	},
}

var (
	textURLAsRule = text{
		"a rule has a path, not a URL with its host: it matches nothing; the file is for the host that it lies on",
		"una regla lleva una ruta, no una URL con su host: no coincide con nada; el archivo vale para el host donde está",
		"규칙에는 호스트가 든 URL이 아니라 경로를 씁니다. 아무것도 맞지 않습니다. 파일은 그것이 놓인 호스트에만 적용됩니다",
		"в правиле пишут путь, а не URL с хостом: оно ни с чем не совпадёт; файл относится к хосту, на котором лежит",
	}
	textDropHost = text{
		"write \"%[1]s\"; the rule takes effect for this host",
		"escribir «%[1]s»; la regla entra en vigor para este host",
		"\"%[1]s\"(으)로 씁니다. 규칙이 이 호스트에서 효력을 갖습니다",
		"написать «%[1]s»; правило начнёт действовать для этого хоста",
	}
)
