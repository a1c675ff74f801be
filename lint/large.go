package lint

// baiduLimit is how many octets the validator of Baidu accepts.
const baiduLimit = 48 << 10

var large = &Check{
	Name:     "large",
	Severity: Info,
	Profiles: []Profile{Strict, SEO},
	run: func(p *pass) {
		if len(p.text) > baiduLimit && len(p.text) <= sizeLimit && p.alien == robotsText {
			p.report(span{line: 1}, textLarge, len(p.text)>>10)
		}
	},
}

var textLarge = text{
	"the file has %[1]d KiB: Baidu accepts 48 KiB, and some robots read less than the 500 KiB that RFC 9309 asks for",
	"el archivo tiene %[1]d KiB: Baidu acepta 48 KiB, y algunos robots leen menos de los 500 KiB que pide el RFC 9309",
	"파일이 %[1]d KiB입니다. Baidu는 48 KiB까지 받고, 어떤 로봇은 RFC 9309가 요구하는 500 KiB보다 적게 읽습니다",
	"файл занимает %[1]d КиБ: Baidu принимает 48 КиБ, а некоторые роботы читают меньше 500 КиБ, которых требует RFC 9309",
}
