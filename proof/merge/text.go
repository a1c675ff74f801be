package merge

import (
	"fmt"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A sentence is a text with its arguments. String arguments must be safe to show. Sentences and
// names among the arguments are written in the language of the sentence.
type sentence struct {
	text language.Text
	args []any
}

func say(text language.Text, args ...any) sentence { return sentence{text, args} }

// in returns the sentence in a language.
func (s sentence) in(l language.Language) string {
	args := make([]any, len(s.args))
	for i, arg := range s.args {
		switch v := arg.(type) {
		case sentence:
			arg = v.in(l)
		case people:
			arg = v.in(l)
		case fmt.Stringer:
			arg = v.String()
		}
		args[i] = arg
	}
	return s.text.In(l, args...)
}

// People are the names of robots, of which a sentence shows the first few.
type people []string

func (p people) in(l language.Language) string {
	const most = 4
	if len(p) > most {
		return textNamesAndMore.In(l, p[:most].in(l), len(p)-most)
	}
	names := ""
	for i, name := range p {
		if i > 0 {
			names += ", "
		}
		names += printable.Text(name)
	}
	return names
}

// Of problems.
var (
	textStray = language.New(
		"%[1]s stands in no group: put a line such as 'User-agent: *' before it",
		"%[1]s no está en ningún grupo: hay que poner antes una línea como 'User-agent: *'",
		"%[1]s⟨은/는⟩ 어느 그룹에도 속하지 않음: 앞에 'User-agent: *' 같은 줄을 넣을 것",
		"строка %[1]s не входит ни в одну группу: поставьте перед ней строку вида 'User-agent: *'")
	textMalformed = language.New(
		`%[1]s is not of the form "field: value": 'robots lint' tells what may be meant`,
		`%[1]s no tiene la forma "campo: valor": 'robots lint' dice qué se pudo querer decir`,
		`%[1]s⟨은/는⟩ "필드: 값" 형식이 아님: 무엇을 쓰려 했는지는 'robots lint'가 알려 줌`,
		`строка %[1]s не имеет вида "поле: значение": 'robots lint' подскажет, что могло иметься в виду`)
	textNotOwned = language.New(
		"%[1]s is no path that can have an owner: name one that starts with / and has no * and no $, such as /shop/",
		"%[1]s no es una ruta que pueda tener dueño: hay que indicar una que empiece por / y no contenga * ni $, como /shop/",
		"%[1]s⟨은/는⟩ 소유자를 둘 수 있는 경로가 아님: /shop/처럼 /로 시작하고 *와 $가 없는 경로를 적을 것",
		"у пути %[1]s не может быть владельца: укажите путь, который начинается с / и не содержит ни *, ни $, например /shop/")
	textTwoOwners = language.New(
		"%[1]s has two owners: %[2]s names %[3]s: leave one of them out",
		"%[1]s tiene dos dueños: %[2]s indica %[3]s: hay que quitar uno de los dos",
		"%[1]s의 소유자가 둘임: %[2]s에 %[3]s⟨이/가⟩ 적혀 있음: 둘 중 하나를 뺄 것",
		"у %[1]s два владельца: в %[2]s назван %[3]s: уберите одно из двух")
	textByName = language.New(
		"%[1]s closes %[2]s to %[3]s by name, which %[4]s opens: leave one of them out",
		"%[1]s cierra %[2]s a %[3]s por su nombre, y %[4]s lo abre: hay que quitar una de las dos cosas",
		"%[1]s⟨이/가⟩ %[3]s⟨을/를⟩ 이름으로 지정해 %[2]s⟨을/를⟩ 차단하지만 %[4]s⟨이/가⟩ 이를 허용함: 둘 중 하나를 뺄 것",
		"%[1]s закрывает %[2]s для %[3]s по имени, а %[4]s открывает: уберите одно из двух")
	textOwner     = language.New("the owner of %[1]s (%[2]s)", "el dueño de %[1]s (%[2]s)", "%[2]s에 적힌 %[1]s의 소유자", "владелец %[1]s (%[2]s)")
	textNoPattern = language.New(
		"%[1]s closes %[2]s to everyone, and no pattern takes %[3]s out of it, as %[4]s asks: name the robot in this fragment",
		"%[1]s cierra %[2]s a todos, y ningún patrón puede exceptuar a %[3]s, como pide %[4]s: hay que nombrar al robot en este fragmento",
		"%[1]s⟨이/가⟩ 모든 로봇에게 %[2]s⟨을/를⟩ 차단하며, %[4]s⟨이/가⟩ 요구하는 대로 %[3]s⟨을/를⟩ 제외할 수 있는 패턴이 없음: 이 조각 파일에 로봇의 이름을 적을 것",
		"%[1]s закрывает %[2]s для всех, и никаким шаблоном нельзя исключить из этого %[3]s, как требует %[4]s: назовите робота в этом фрагменте")
	textNotKept = language.New(
		"%[1]s closes %[2]s to %[3]s: %[4]s is not kept",
		"%[1]s cierra %[2]s a %[3]s: no se cumple %[4]s",
		"%[1]s⟨이/가⟩ %[3]s에게 %[2]s⟨을/를⟩ 차단함: %[4]s⟨이/가⟩ 지켜지지 않음",
		"%[1]s закрывает %[2]s для %[3]s: %[4]s не соблюдается")
	textNotAllowed = language.New(
		"%[1]s closes %[2]s to %[3]s, and everyone may fetch it: %[4]s is not kept",
		"%[1]s cierra %[2]s a %[3]s, aunque está abierto a todos: no se cumple %[4]s",
		"%[1]s⟨이/가⟩ 모든 로봇에게 허용된 %[2]s⟨을/를⟩ %[3]s에게 차단함: %[4]s⟨이/가⟩ 지켜지지 않음",
		"%[1]s закрывает %[2]s для %[3]s, хотя для всех путь открыт: %[4]s не соблюдается")
	textConflict = language.New(
		"%[1]s opens %[2]s to %[3]s, but %[4]s closes it: %[5]s: %[6]s",
		"%[1]s abre %[2]s a %[3]s, pero %[4]s lo cierra: %[5]s: %[6]s",
		"%[1]s⟨이/가⟩ %[3]s에게 %[2]s⟨을/를⟩ 허용하지만 %[4]s에서 차단함: %[5]s: %[6]s",
		"%[1]s открывает %[2]s для %[3]s, но %[4]s закрывает: %[5]s: %[6]s")
	textSayLess = language.New("make one of them say less", "hay que restringir una de las dos", "둘 중 하나의 범위를 줄일 것", "сузьте одно из этих правил")
	textIdle    = language.New(
		"leave the first out, which says nothing by itself",
		"hay que quitar la primera, que por sí sola no dice nada",
		"그 자체로는 아무 뜻이 없는 앞의 규칙을 뺄 것",
		"уберите первое правило: само по себе оно ничего не говорит")
	textDisagree = language.New(
		"%[1]s contradicts %[2]s: %[3]s: a robot can obey only one of them",
		"%[1]s contradice a %[2]s: %[3]s: un robot solo puede obedecer a una de las dos",
		"%[1]s⟨이/가⟩ %[2]s의 내용과 모순됨: %[3]s: 로봇은 둘 중 하나만 따를 수 있음",
		"%[1]s противоречит %[2]s: %[3]s: робот может выполнить только одно из двух")
	textWishesContradict = language.New(
		"%[1]s and %[2]s contradict each other: leave one of them out",
		"%[1]s y %[2]s se contradicen: hay que quitar una de las dos",
		"%[1]s⟨과/와⟩ %[2]s⟨이/가⟩ 서로 모순됨: 둘 중 하나를 뺄 것",
		"%[1]s и %[2]s противоречат друг другу: уберите одно из двух")
	textOverWish = language.New(
		"%[1]s opens %[2]s to %[3]s, which %[4]s is to close: close it there, or make the rule say less",
		"%[1]s abre %[2]s a %[3]s, y %[4]s pide cerrarlo: hay que cerrarlo en el fragmento o restringir la regla",
		"%[1]s⟨이/가⟩ %[3]s에게 %[2]s⟨을/를⟩ 허용하지만 %[4]s에 따라 차단해야 함: 그 조각 파일에서 차단하거나 규칙의 범위를 줄일 것",
		"%[1]s открывает %[2]s для %[3]s, а %[4]s требует закрыть: закройте этот путь в самом фрагменте или сузьте правило")
	textOverPart = language.New(
		"the file would open %[1]s to %[2]s, which %[3]s closes: %[4]s",
		"el archivo abriría %[1]s a %[2]s, y %[3]s lo cierra: %[4]s",
		"파일이 %[2]s에게 %[1]s⟨을/를⟩ 허용하게 되지만 %[3]s에서 차단함: %[4]s",
		"файл открыл бы %[1]s для %[2]s, а %[3]s закрывает: %[4]s")
	textWouldOpen = language.New(
		"the file would open %[1]s to %[2]s, which %[3]s is to close",
		"el archivo abriría %[1]s a %[2]s, y %[3]s pide cerrarlo",
		"파일이 %[2]s에게 %[1]s⟨을/를⟩ 허용하게 되지만 %[3]s에 따라 차단해야 함",
		"файл открыл бы %[1]s для %[2]s, а %[3]s требует закрыть")
	textWouldClose = language.New(
		"the file would close %[1]s to %[2]s, which none of its parts closes: %[3]s",
		"el archivo cerraría %[1]s a %[2]s, y ninguna de sus partes lo cierra: %[3]s",
		"파일이 %[2]s에게 %[1]s⟨을/를⟩ 차단하게 되지만 이를 차단하는 조각 파일이 없음: %[3]s",
		"файл закрыл бы %[1]s для %[2]s, хотя ни одна его часть не закрывает: %[3]s")
	textAWish    = language.New("a wish", "una opción", "옵션", "одна из опций")
	textAsGoogle = language.New(
		"%[1]s, as Google's parser reads it: 'robots lint' tells which lines it reads otherwise",
		"%[1]s, según lo lee el analizador de Google: 'robots lint' dice qué líneas lee de otro modo",
		"%[1]s (Google 파서 기준): 이 파서가 다르게 읽는 줄은 'robots lint'가 알려 줌",
		"%[1]s, как это читает парсер Google: 'robots lint' покажет строки, которые он читает иначе")

	textNamesAndMore = language.New("%[1]s and %[2]d more", "%[1]s y %[2]d más", "%[1]s 외 %[2]d개", "%[1]s и ещё %[2]d")
	textAndMore      = language.New("and %[1]d more", "y %[1]d más", "그 밖에 %[1]d개", "и ещё %[1]d")
	textUndecided    = language.New(
		"undecided: it takes too many cases to prove what the file says",
		"sin decidir: hay demasiados casos para demostrar lo que dice el archivo",
		"판정 불가: 파일의 내용을 증명하기에는 경우의 수가 너무 많음",
		"не решено: слишком много случаев, чтобы доказать, что говорит файл")
)

// Of notes.
var (
	textTooLarge = language.New(
		"the file has %[1]d bytes: robots need not read more than %[2]d (RFC 9309, section 2.5)",
		"el archivo tiene %[1]d bytes: los robots no están obligados a leer más de %[2]d (RFC 9309, sección 2.5)",
		"파일 크기가 %[1]d바이트임: 로봇은 %[2]d바이트까지만 읽어도 됨(RFC 9309, 2.5절)",
		"в файле %[1]d ⟨байт/байта/байт⟩: роботы не обязаны читать больше %[2]d (RFC 9309, раздел 2.5)")
	textNotKnown = language.New(
		"%[1]s is no robot that is known: the file names it all the same",
		"no se conoce ningún robot %[1]s: el archivo lo nombra de todos modos",
		"%[1]s⟨은/는⟩ 알려진 로봇이 아님: 그래도 파일에 이름을 적음",
		"робот %[1]s неизвестен: файл всё равно его называет")
	textIgnores = language.New(
		"%[1]s does not obey robots.txt, as its operator says",
		"%[1]s no obedece robots.txt, según dice su operador",
		"운영자에 따르면 %[1]s⟨은/는⟩ robots.txt를 따르지 않음",
		"%[1]s не подчиняется robots.txt, как сообщает его оператор")
	textBlockedFor = language.New(
		"%[1]s is blocked for %[2]s, and reads pages for %[3]s too: --allow %[1]s leaves it out",
		"%[1]s queda bloqueado por %[2]s, pero también lee páginas para %[3]s: --allow %[1]s lo exceptúa",
		"%[1]s⟨은/는⟩ 목적 %[2]s 때문에 차단되지만 %[3]s 목적으로도 페이지를 읽음: --allow %[1]s⟨을/를⟩ 쓰면 차단되지 않음",
		"%[1]s блокируется как %[2]s, но читает страницы и для %[3]s: --allow %[1]s выводит его из-под блокировки")
	textDropped = language.New(
		"%[1]s closes nothing to %[2]s, but %[3]s closes %[4]s to everyone, and so to %[2]s: to exempt it, write '# owner: %[5]s' at the head of %[6]s, or use --allow %[2]s=%[5]s",
		"%[1]s no cierra nada a %[2]s, pero %[3]s cierra %[4]s a todos, y por tanto a %[2]s: para eximirlo, hay que escribir '# owner: %[5]s' al comienzo de %[6]s o usar --allow %[2]s=%[5]s",
		"%[1]s에서는 %[2]s에게 아무것도 차단하지 않지만, %[3]s에서 %[4]s⟨을/를⟩ 모든 로봇에게 차단하므로 %[2]s에게도 차단됨: 제외하려면 %[6]s의 맨 앞에 '# owner: %[5]s'⟨을/를⟩ 적거나 --allow %[2]s=%[5]s⟨을/를⟩ 쓸 것",
		"%[1]s ничего не закрывает для %[2]s, но %[3]s закрывает %[4]s для всех, а значит, и для %[2]s: чтобы сделать исключение, напишите '# owner: %[5]s' в начале %[6]s или добавьте --allow %[2]s=%[5]s")
	textDroppedPattern = language.New(
		"%[1]s closes nothing to %[2]s, but %[3]s closes %[4]s to everyone, and so to %[2]s: to exempt it, name %[2]s in %[5]s",
		"%[1]s no cierra nada a %[2]s, pero %[3]s cierra %[4]s a todos, y por tanto a %[2]s: para eximirlo, hay que nombrar a %[2]s en %[5]s",
		"%[1]s에서는 %[2]s에게 아무것도 차단하지 않지만, %[3]s에서 %[4]s⟨을/를⟩ 모든 로봇에게 차단하므로 %[2]s에게도 차단됨: 제외하려면 %[5]s에 %[2]s의 그룹을 따로 둘 것",
		"%[1]s ничего не закрывает для %[2]s, но %[3]s закрывает %[4]s для всех, а значит, и для %[2]s: чтобы сделать исключение, назовите %[2]s в %[5]s")
	textPatternAndMore = language.New("%[1]s (and %[2]d more)", "%[1]s (y %[2]d más)", "%[1]s 외 %[2]d개", "%[1]s (и ещё %[2]d)")
)

// Of wishes that cannot be read.
var (
	textNobody = language.New(
		"no robot is named: give a purpose such as ai-train, or a product token such as GPTBot",
		"no se indica ningún robot: indique un propósito, como ai-train, o un identificador de producto, como GPTBot",
		"로봇이 지정되지 않음: ai-train 같은 용도나 GPTBot 같은 제품 토큰을 적을 것",
		"робот не назван: укажите назначение, например ai-train, или токен продукта, например GPTBot")
	textNoRobot = language.New(
		"%[1]s is neither a purpose, such as ai-train, nor a product token, such as GPTBot",
		"%[1]s no es ni un propósito, como ai-train, ni un identificador de producto, como GPTBot",
		"%[1]s⟨은/는⟩ ai-train 같은 용도도 GPTBot 같은 제품 토큰도 아님",
		"%[1]s — не назначение, как ai-train, и не токен продукта, как GPTBot")
	textNotExempt = language.New(
		"the path of %[1]s is not one that robots can be exempt for: write one that starts with / and has no * and no $, such as /map/",
		"la ruta de %[1]s no puede eximir a un robot: escriba una que empiece por / y no contenga * ni $, como /map/",
		"%[1]s의 경로로는 로봇을 제외할 수 없음: /map/처럼 /로 시작하고 *와 $가 없는 경로를 적을 것",
		"путь в %[1]s не годится для исключения: укажите путь, который начинается с / и не содержит ни *, ни $, например /map/")
	textNoSlash = language.New(
		"the path of %[1]s does not start with /",
		"la ruta de %[1]s no empieza por /",
		"%[1]s의 경로가 /로 시작하지 않음",
		"путь в %[1]s не начинается с /")
	textBlank = language.New(
		"the path of %[1]s has a blank or a #: write %%20 or %%23",
		"la ruta de %[1]s contiene un espacio o un #: escriba %%20 o %%23",
		"%[1]s의 경로에 공백이나 #이 있음: %%20 또는 %%23으로 적을 것",
		"в пути %[1]s есть пробел или #: пишите %%20 или %%23")
)
