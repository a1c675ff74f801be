package page

import "github.com/robotsexclusion/robots/internal/language"

// The messages of diagnostics.
var (
	textMarkup = language.New(
		"the description has markup in it, which is shown as it is: write text only",
		"la descripción contiene marcado, que se muestra tal cual: escriba solo texto",
		"설명에 마크업이 있고 그대로 표시됩니다. 텍스트만 쓰십시오",
		"в описании есть разметка, и она показывается как есть: пишите только текст")
	textRelativeURL = language.New(
		"%[1]s is not an absolute URL, so nobody knows the original: write it with https:// and a host",
		"%[1]s no es una URL absoluta, así que no se sabe cuál es el original: escríbala con https:// y un host",
		"%[1]s: 절대 URL이 아니어서 원본을 알 수 없습니다. https://와 호스트를 함께 쓰십시오",
		"%[1]s — не абсолютный URL, поэтому оригинал неизвестен: напишите его с https:// и хостом")
	textNoState = language.New(
		"%[1]s is no state of a document: write STATIC or DYNAMIC",
		"%[1]s no es un estado de un documento: escriba STATIC o DYNAMIC",
		"%[1]s: 문서의 상태가 아닙니다. STATIC이나 DYNAMIC을 쓰십시오",
		"%[1]s — не состояние документа: напишите STATIC или DYNAMIC")
	textMeantRobots = language.New(
		"the tag is for a robot called %[1]s: did you mean robots?",
		"la etiqueta es para un robot llamado %[1]s: ¿quiso decir robots?",
		"이름이 %[1]s인 로봇을 위한 태그입니다. 혹시 robots입니까?",
		"тег предназначен для робота по имени %[1]s: имелось в виду robots?")
	textUnseen = language.New(
		"a META tag to robots stands in a %[1]s, where no robot sees it",
		"una etiqueta META para robots está en %[1]s, donde ningún robot la ve",
		"로봇을 위한 META 태그가 %[1]s 안에 있어 어떤 로봇도 보지 못합니다",
		"META-тег для роботов стоит внутри %[1]s, где его не видит ни один робот")
	textAsksNothing = language.New(
		"%[1]s asks nothing: %[2]s",
		"%[1]s no pide nada: %[2]s",
		"%[1]s: 요구하는 바가 없습니다. %[2]s",
		"%[1]s ничего не требует: %[2]s")
	textPerhapsRobot = language.New(
		"%[1]s is no directive: if it names a robot, what follows counts for all others too; name that robot before a known directive",
		"%[1]s no es una directiva: si nombra un robot, lo que sigue vale también para todos los demás; nombre ese robot ante una directiva conocida",
		"%[1]s: 지시어가 아닙니다. 로봇 이름이라면 뒤따르는 지시어는 다른 모든 로봇에도 적용됩니다. 알려진 지시어 앞에 그 로봇의 이름을 쓰십시오",
		"%[1]s — не директива: если это имя робота, то дальнейшее действует и для всех других; поставьте имя этого робота перед известной директивой")
	textOwnPlace = language.New(
		"%[1]s is no directive: it has a header and a META tag of its own",
		"%[1]s no es una directiva: tiene una cabecera y una etiqueta META propias",
		"%[1]s: 지시어가 아닙니다. 별도의 헤더와 META 태그가 있습니다",
		"%[1]s — не директива: у него есть собственный заголовок и META-тег")
	textMisspelt = language.New(
		"%[1]s is no directive: did you mean %[2]s?",
		"%[1]s no es una directiva: ¿quiso decir %[2]s?",
		"%[1]s: 지시어가 아닙니다. 혹시 %[2]s입니까?",
		"%[1]s — не директива: имелось в виду %[2]s?")
	textUndocumented = language.New(
		"%[1]s is no directive that search engines document, so it asks nothing",
		"%[1]s no es una directiva que los buscadores documenten, así que no pide nada",
		"%[1]s: 검색 엔진이 문서로 밝힌 지시어가 아니어서 요구하는 바가 없습니다",
		"%[1]s — не директива, описанная поисковыми системами, поэтому она ничего не требует")
	textOverruled = language.New(
		"%[1]s is overruled by %[2]s",
		"%[1]s queda anulado por %[2]s",
		"%[1]s: %[2]s 때문에 효력이 없습니다",
		"%[1]s отменено тем, что сказано здесь: %[2]s")
	textSeveralCanonicals = language.New(
		"the page names several canonical addresses, so none of them counts: leave one",
		"la página nombra varias direcciones canónicas, así que ninguna vale: deje una",
		"페이지가 표준 주소를 여러 개 지정하여 어느 것도 적용되지 않습니다. 하나만 남기십시오",
		"страница называет несколько канонических адресов, поэтому не действует ни один: оставьте один")
	textHiddenByLimits = language.New(
		"limits hid a part of the page (%[1]s): robots may miss directives there too",
		"los límites ocultaron una parte de la página (%[1]s): a los robots también se les pueden escapar directivas allí",
		"제한 때문에 페이지의 일부를 읽지 않았습니다(%[1]s). 로봇도 거기 있는 지시어를 놓칠 수 있습니다",
		"из-за пределов часть страницы не прочитана (%[1]s): роботы тоже могут пропустить там директивы")
)
