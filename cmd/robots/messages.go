package main

import (
	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/language"
)

// The answers of verbs to people, in all languages; package language documents the
// placeholders in the texts. Values are made safe to show before they are inserted.

// All verbs.
var (
	textAllowed      = language.New("allowed", "permitido", "허용됨", "разрешено")
	textDisallowed   = language.New("disallowed", "prohibido", "차단됨", "запрещено")
	textAllowedBy    = language.New("allowed by line %[1]d: %[2]s", "permitido por la línea %[1]d: %[2]s", "%[1]d행에 따라 허용됨: %[2]s", "разрешено строкой %[1]d: %[2]s")
	textDisallowedBy = language.New("disallowed by line %[1]d: %[2]s", "prohibido por la línea %[1]d: %[2]s", "%[1]d행에 따라 차단됨: %[2]s", "запрещено строкой %[1]d: %[2]s")

	reasonTexts = map[robots.Reason]language.Text{
		robots.NoGroup:     language.New("no group is for this robot", "ningún grupo es para este robot", "이 로봇에 해당하는 그룹이 없음", "нет группы для этого робота"),
		robots.NoRule:      language.New("no rule of the group matches", "ninguna regla del grupo coincide", "그룹에 일치하는 규칙이 없음", "ни одно правило группы не подходит"),
		robots.RobotsFile:  language.New("/robots.txt itself always is", "/robots.txt lo está siempre", "/robots.txt 자체는 언제나 허용됨", "сам /robots.txt разрешён всегда"),
		robots.Unavailable: language.New("there is no robots.txt", "no hay robots.txt", "robots.txt가 없음", "robots.txt нет"),
		robots.Unreachable: language.New("robots.txt is unreachable", "robots.txt no está accesible", "robots.txt에 접근할 수 없음", "robots.txt недоступен"),
	}

	textLine         = language.New("line %[1]d", "línea %[1]d", "%[1]d행", "строка %[1]d")
	textLineSays     = language.New("line %[1]d: %[2]s", "línea %[1]d: %[2]s", "%[1]d행: %[2]s", "строка %[1]d: %[2]s")
	textNoRule       = language.New("no rule", "ninguna regla", "규칙 없음", "без правила")
	textAndMore      = language.New("and %[1]d more", "y %[1]d más", "그 밖에 %[1]d개", "и ещё %[1]d")
	textNamesAndMore = language.New("%[1]s and %[2]d more", "%[1]s y %[2]d más", "%[1]s 외 %[2]d개", "%[1]s и ещё %[2]d")
	textTooManyCases = language.New("there are too many cases: --limit lets it look at more", "hay demasiados casos: --limit permite examinar más", "경우의 수가 너무 많음: --limit으로 더 살펴볼 수 있음", "слишком много случаев: --limit позволяет просмотреть больше")
)

// Unknown names, and texts that are not robots.txt.
var (
	textWarning    = language.New("warning: %[1]s: %[2]s", "aviso: %[1]s: %[2]s", "경고: %[1]s: %[2]s", "предупреждение: %[1]s: %[2]s")
	textDidYouMean = language.New("did you mean %[1]s?", "¿quiso decir %[1]s?", "혹시 %[1]s입니까?", "имелось в виду %[1]s?")
	textOr         = language.New(" or ", " o ", ", ", " или ")
	textNobodyBy   = language.New(
		"no robot is known by %[1]s: %[2]s",
		"no se conoce ningún robot por el nombre %[1]s: %[2]s",
		"%[1]s: 이 이름으로 알려진 로봇이 없습니다. %[2]s",
		"робот по имени %[1]s неизвестен: %[2]s")
	textNoSuchName = language.New(
		"%[1]s: no robot and no purpose is known by %[2]s, and the file does not name it:%[3]s --unknown allows it",
		"%[1]s: no se conoce ningún robot ni propósito por el nombre %[2]s, y el archivo no lo nombra:%[3]s --unknown lo permite",
		"%[1]s: %[2]s: 이 이름으로 알려진 로봇도 용도도 없고 파일에도 나오지 않습니다.%[3]s --unknown으로 허용할 수 있습니다",
		"%[1]s: ни робот, ни назначение по имени %[2]s неизвестны, и в файле его нет:%[3]s --unknown разрешает его")
	textListed = language.New(
		"no robot is known by %[1]s: 'robots agents' lists them",
		"no se conoce ningún robot por el nombre %[1]s: 'robots agents' los enumera",
		"%[1]s: 이 이름으로 알려진 로봇이 없습니다. 'robots agents'로 목록을 볼 수 있습니다",
		"робот по имени %[1]s неизвестен: список выводит 'robots agents'")
	textOtherPurpose = language.New(
		"%[1]s: not for the purpose %[2]s",
		"%[1]s: no tiene el propósito %[2]s",
		"%[1]s: 용도가 %[2]s인 로봇이 아닙니다",
		"%[1]s: назначение не %[2]s")
)

// The verb diff.
var (
	textClosed     = language.New("closed", "cerrado", "차단", "закрыто")
	textOpened     = language.New("opened", "abierto", "허용", "открыто")
	textForExample = language.New("for example %[1]s", "por ejemplo %[1]s", "예: %[1]s", "например, %[1]s")
	textWas        = language.New("was %[1]s", "antes: %[1]s", "이전: %[1]s", "было: %[1]s")
	textIs         = language.New("is  %[1]s", "ahora: %[1]s", "이후: %[1]s", "стало: %[1]s")
	textByFallback = language.New("%[1]s; by fallback: %[2]s", "%[1]s; y a falta de grupo propio: %[2]s", "%[1]s; 자기 그룹이 없어 이를 따르는 로봇: %[2]s", "%[1]s; и за неимением своей группы: %[2]s")
	textForRobots  = language.New("for %[1]s", "para %[1]s", "%[1]s 대상", "для %[1]s")

	textUndecidedFor = language.New(
		"undecided for %[1]s: there are too many cases; --limit lets it look at more",
		"sin decidir para %[1]s: hay demasiados casos; --limit permite examinar más",
		"%[1]s: 경우의 수가 너무 많아 판정하지 못함. --limit으로 더 살펴볼 수 있음",
		"не решено для %[1]s: слишком много случаев; --limit позволяет просмотреть больше")
	textNoChange = language.New(
		"no change: every robot gets the same answer for every path",
		"sin cambios: todos los robots reciben la misma respuesta para cualquier ruta",
		"변경 없음: 모든 로봇이 모든 경로에 대해 같은 답을 얻음",
		"изменений нет: каждый робот получает тот же ответ для любого пути")
	textNoPathChanges = language.New(
		"no path is closed or opened to any robot",
		"ninguna ruta se cierra ni se abre para ningún robot",
		"어느 로봇에게도 새로 차단되거나 허용되는 경로가 없음",
		"ни для какого робота ни один путь не закрыт и не открыт")

	textMarkdownTitle = language.New("What this change of robots.txt means", "Qué significa este cambio de robots.txt", "이 robots.txt 변경의 의미", "Что означает это изменение robots.txt")
	textNotDecided    = language.New("Not everything could be decided, for %[1]s.", "No se pudo decidir todo, para %[1]s.", "%[1]s: 일부를 판정하지 못했습니다.", "Не всё удалось решить, для %[1]s.")
	textAllSame       = language.New("Every robot gets the same answer for every path.", "Todos los robots reciben la misma respuesta para cualquier ruta.", "모든 로봇이 모든 경로에 대해 같은 답을 얻습니다.", "Каждый робот получает тот же ответ для любого пути.")
	textPatterns      = language.New(
		"%[1]d ⟨pattern/patterns⟩ closed, %[2]d ⟨pattern/patterns⟩ opened.",
		"%[1]d ⟨patrón cerrado/patrones cerrados⟩, %[2]d ⟨patrón abierto/patrones abiertos⟩.",
		"차단된 패턴 %[1]d개, 허용된 패턴 %[2]d개.",
		"Закрыто: %[1]d ⟨шаблон/шаблона/шаблонов⟩, открыто: %[2]d ⟨шаблон/шаблона/шаблонов⟩.")
	textMarkdownHead = language.New("| | robots | paths | for example | decided by |", "| | robots | rutas | por ejemplo | decide |", "| | 로봇 | 경로 | 예 | 결정하는 규칙 |", "| | роботы | пути | например | решает |")
	textMoreInDiff   = language.New("and more; `robots diff` tells all.", "y más; `robots diff` lo muestra todo.", "그 밖에도 있습니다. `robots diff`로 모두 볼 수 있습니다.", "и другие; все показывает `robots diff`.")
	textRecords      = language.New("Records beside the rules:", "Registros además de las reglas:", "규칙 이외의 레코드:", "Записи помимо правил:")
)

// The verb prove.
var (
	textHolds     = language.New("holds", "se cumple", "성립", "верно")
	textFails     = language.New("fails", "no se cumple", "불성립", "неверно")
	textUndecided = language.New("undecided", "sin decidir", "판정 불가", "не решено")
	textShownBy   = language.New("%[1]s: %[2]s is %[3]s", "%[1]s: %[2]s está %[3]s", "%[1]s: %[2]s, %[3]s", "%[1]s: %[2]s %[3]s")
)

// The verb build, beside the texts of package merge.
var (
	textNote     = language.New("note: %[1]s", "nota: %[1]s", "참고: %[1]s", "примечание: %[1]s")
	textNotThere = language.New(
		"%[1]s is not there: build it again",
		"%[1]s no existe: hay que volver a generarlo",
		"%[1]s⟨이/가⟩ 없음: 다시 만들 것",
		"%[1]s отсутствует: соберите его заново")
	textNotCurrent = language.New(
		"%[1]s is not what the fragments make: build it again",
		"%[1]s no es lo que resulta de los fragmentos: hay que volver a generarlo",
		"%[1]s⟨이/가⟩ 조각 파일로 만든 결과와 다름: 다시 만들 것",
		"%[1]s не совпадает с тем, что получается из фрагментов: соберите его заново")
)

// The verb match.
var (
	textError         = language.New("error", "error", "오류", "ошибка")
	textObeys         = language.New("the robot obeys the group of %[1]s", "el robot obedece al grupo de %[1]s", "로봇이 따르는 그룹: %[1]s", "робот подчиняется группе %[1]s")
	textThen          = language.New(", then ", ", luego ", ", 그다음 ", ", затем ")
	textPage          = language.New("page: %[1]s", "página: %[1]s", "페이지: %[1]s", "страница: %[1]s")
	textNoPage        = language.New("so there is no page to index", "así que no hay página que indexar", "따라서 색인할 페이지가 없음", "так что индексировать нечего")
	textNoGroup       = language.New("no group is for this robot, nor for everyone (*)", "ningún grupo es para este robot ni para todos (*)", "이 로봇에도 모든 로봇(*)에도 해당하는 그룹이 없음", "нет группы ни для этого робота, ни для всех (*)")
	textGroupAndPath  = language.New("group %[1]s, path %[2]s", "grupo %[1]s, ruta %[2]s", "그룹 %[1]s, 경로 %[2]s", "группа %[1]s, путь %[2]s")
	textNoRuleMatches = language.New("no rule matches", "ninguna regla coincide", "일치하는 규칙 없음", "ни одно правило не подходит")
	textDecides       = language.New("decides", "decide", "적용됨", "решает")
	textDoesNotMatter = language.New("does not matter: %[1]s", "no importa: %[1]s", "영향 없음: %[1]s", "не имеет значения: %[1]s")
	textComesAfter    = language.New("comes after line %[1]d", "va después de la línea %[1]d", "%[1]d행보다 뒤에 있음", "стоит после строки %[1]d")
	textShorter       = language.New(
		"%[1]d ⟨byte/bytes⟩, shorter than the %[2]d of line %[3]d",
		"%[1]d ⟨byte/bytes⟩, menos que los %[2]d de la línea %[3]d",
		"%[1]d바이트로, %[3]d행의 %[2]d바이트보다 짧음",
		"%[1]d ⟨байт/байта/байт⟩, короче, чем %[2]d в строке %[3]d")
	textAllowWins    = language.New("as long as line %[1]d, and allow wins", "tan larga como la línea %[1]d, y gana Allow", "%[1]d행과 길이가 같고, Allow가 우선함", "той же длины, что и строка %[1]d, а Allow побеждает")
	textSaysSame     = language.New("says the same as line %[1]d", "dice lo mismo que la línea %[1]d", "%[1]d행과 같은 내용", "говорит то же, что и строка %[1]d")
	textSame         = language.New("same", "iguales", "같음", "одинаково")
	textDiffer       = language.New("differ", "difieren", "다름", "по-разному")
	textAgentColumn  = language.New("agent", "robot", "로봇", "робот")
	textVerdicts     = language.New("verdicts", "veredictos", "판정", "ответы")
	textSameVerdicts = language.New("the dialects give the same verdicts", "los dialectos dan los mismos veredictos", "방언들의 판정이 같음", "диалекты дают одинаковые ответы")
	textDifferIn     = language.New(
		"the dialects differ in %[1]d of %[2]d verdicts",
		"los dialectos difieren en %[1]d de %[2]d ⟨veredicto/veredictos⟩",
		"판정 %[2]d개 중 %[1]d개가 방언에 따라 다름",
		"диалекты расходятся в %[1]d из %[2]d ⟨ответа/ответов/ответов⟩")
	textNumberIsLine = language.New("a number is the line that decides", "un número es la línea que decide", "숫자는 적용된 행", "число означает строку, которая решает")
)

// The flag match --records.
var (
	textNoGroupFor     = language.New("no group is for %[1]s", "ningún grupo es para %[1]s", "%[1]s에 해당하는 그룹이 없음", "нет группы для %[1]s")
	textRecordsFor     = language.New("records for %[1]s in group %[2]s of line %[3]d", "registros para %[1]s en el grupo %[2]s de la línea %[3]d", "%[3]d행의 그룹 %[2]s에 있는 %[1]s 대상 레코드", "записи для %[1]s в группе %[2]s, строка %[3]d")
	textNone           = language.New("none", "ninguno", "없음", "нет")
	textFileRecords    = language.New("records of the file", "registros del archivo", "파일 전체의 레코드", "записи файла")
	textBadRecords     = language.New("records with a value that says nothing", "registros con un valor que no dice nada", "값에 의미가 없는 레코드", "записи, значение которых ничего не говорит")
	textAnyPath        = language.New("any path", "cualquier ruta", "모든 경로", "любой путь")
	textChangesNothing = language.New("%[1]s changes nothing under %[2]s", "%[1]s no cambia nada en %[2]s", "%[1]s⟨은/는⟩ 내용에 영향이 없음(%[2]s)", "%[1]s ничего не меняет (%[2]s)")
	textMainMirror     = language.New("the main mirror", "el espejo principal", "기본 미러", "главное зеркало")
	textWithoutOwn     = language.New("for groups without their own", "para los grupos que no tienen la suya", "자체 라이선스가 없는 그룹용", "для групп без своей")
	textWait           = language.New("wait %[1]s between requests", "esperar %[1]s entre peticiones", "요청 사이에 %[1]s 대기", "пауза %[1]s между запросами")
	textNoLess         = language.New("line %[1]d asks for no less", "la línea %[1]d no pide menos", "%[1]d행의 요구가 이보다 작지 않음", "строка %[1]d требует не меньше")
	textRequestEvery   = language.New("a request every %[1]s", "una petición cada %[1]s", "%[1]s마다 요청 하나", "один запрос каждые %[1]s")
	textVisit          = language.New("visit %[1]s", "visitar %[1]s", "방문 시간: %[1]s", "посещать %[1]s")
	textFromTo         = language.New("from %[1]s to %[2]s UTC", "de %[1]s a %[2]s UTC", "UTC %[1]s부터 %[2]s까지", "с %[1]s до %[2]s UTC")
	textUnder          = language.New("%[1]s under %[2]s", "%[1]s en %[2]s", "%[2]s에서 %[1]s", "%[1]s в %[2]s")
	textUse            = language.New("%[1]s use", "uso %[1]s", "사용: %[1]s", "использование: %[1]s")
	textPermitted      = language.New("permitted", "permitido", "허용", "разрешено")
	textRefused        = language.New("refused", "rechazado", "거부", "запрещено")
	textUnknown        = language.New("unknown", "desconocido", "알 수 없음", "неизвестно")
)

// Results of fetching.
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
	textNotRead          = language.New("not read: %[1]s", "no se leyó: %[1]s", "읽지 못함: %[1]s", "не прочитано: %[1]s")
)

// The verb page.
var (
	textFactPage       = language.New("page", "página", "페이지", "страница")
	textFactDropped    = language.New("dropped", "descartado", "제외됨", "отброшено")
	textRedirectHeader = language.New(
		"X-Robots-Tag of redirect %[1]d: it is about the URL that redirects, not about this page",
		"X-Robots-Tag de la redirección %[1]d: se refiere a la URL que redirige, no a esta página",
		"리디렉션 %[1]d의 X-Robots-Tag: 이 페이지가 아니라 리디렉션하는 URL에 관한 것임",
		"X-Robots-Tag перенаправления %[1]d: он относится к перенаправляющему адресу, а не к этой странице")
	textFactTitle       = language.New("title", "título", "제목", "заголовок")
	textFactDescription = language.New("description", "descripción", "설명", "описание")
	textFactKeywords    = language.New("keywords", "palabras clave", "키워드", "ключевые слова")
	textFactCanonical   = language.New("canonical", "canónica", "표준 URL", "канонический")
	textFactCopyOf      = language.New("copy of", "copia de", "원본", "копия")
	textFactPolicy      = language.New("TDM policy", "política de TDM", "TDM 정책", "условия TDM")
	textFactState       = language.New("state", "estado", "상태", "состояние")
	textFactCharset     = language.New("charset", "codificación", "문자 집합", "кодировка")
	textFactCut         = language.New("cut", "cortado", "잘림", "обрезано")
	textFactNoSnippet   = language.New("no snippet", "sin fragmento", "발췌 금지", "без фрагмента")
	textManyCanonicals  = language.New("none: the page names %[1]d that differ", "ninguna: la página nombra %[1]d distintas", "없음: 서로 다른 %[1]d개를 지정함", "нет: страница называет %[1]d разных")
	textLimitsHid       = language.New("limits hid a part of the page: %[1]s", "los límites ocultaron una parte de la página: %[1]s", "제한 때문에 페이지의 일부를 읽지 않음: %[1]s", "из-за пределов часть страницы не прочитана: %[1]s")
	textSections        = language.New("%[1]d ⟨section/sections⟩ of data-nosnippet", "%[1]d ⟨sección/secciones⟩ de data-nosnippet", "data-nosnippet 구역 %[1]d개", "%[1]d ⟨раздел/раздела/разделов⟩ data-nosnippet")
	textDirectives      = language.New("directives", "directivas", "지시어", "директивы")
	textLinks           = language.New("%[1]d ⟨link/links⟩", "%[1]d ⟨enlace/enlaces⟩", "링크 %[1]d개", "%[1]d ⟨ссылка/ссылки/ссылок⟩")
)

// The verb agents.
var (
	textObeysNotAll   = language.New("obeys robots.txt, but not *", "obedece robots.txt, pero no *", "robots.txt를 따르지만 *는 따르지 않음", "подчиняется robots.txt, но не *")
	textObeysRobots   = language.New("obeys robots.txt", "obedece robots.txt", "robots.txt를 따름", "подчиняется robots.txt")
	textObeysPartly   = language.New("obeys robots.txt in part", "obedece robots.txt en parte", "robots.txt를 일부 따름", "подчиняется robots.txt отчасти")
	textIgnoresRobots = language.New("ignores robots.txt", "no hace caso de robots.txt", "robots.txt를 무시함", "не обращает внимания на robots.txt")
	textOnlyName      = language.New("only a name in robots.txt", "solo un nombre en robots.txt", "robots.txt에서 쓰는 이름일 뿐임", "только имя в robots.txt")
	textNoName        = language.New("no name", "sin nombre", "이름 없음", "без имени")
	textPolicyOnly    = language.New(
		"only a name in robots.txt: it says what another robot may do with what it fetches",
		"solo un nombre en robots.txt: dice qué puede hacer otro robot con lo que obtiene",
		"robots.txt에서 쓰는 이름일 뿐임: 다른 로봇이 가져온 내용을 어떻게 써도 되는지 알림",
		"только имя в robots.txt: оно говорит, что другой робот может делать с тем, что получил")
	textBrowserHeader = language.New(
		"only a name in robots.txt: the robot sends the header of a browser",
		"solo un nombre en robots.txt: el robot envía la cabecera de un navegador",
		"robots.txt에서 쓰는 이름일 뿐임: 로봇은 브라우저의 헤더를 보냄",
		"только имя в robots.txt: робот посылает заголовок браузера")
	textKindBy     = language.New("%[1]s, by %[2]s", "%[1]s, por %[2]s", "%[1]s, 근거: %[2]s", "%[1]s, признак: %[2]s")
	textNotInTable = language.New("no: the table does not have it", "no: no está en la tabla", "아니요: 표에 없음", "нет: его нет в таблице")
	textButNotAll  = language.New("%[1]s, but not *", "%[1]s, pero no *", "%[1]s, 단 *는 제외", "%[1]s, но не *")

	textTitleName     = language.New("name", "nombre", "이름", "имя")
	textTitleKind     = language.New("kind", "clase", "종류", "вид")
	textTitleKnown    = language.New("known", "conocido", "알려짐", "известен")
	textTitleOperator = language.New("operator", "operador", "운영자", "оператор")
	textTitlePurposes = language.New("purposes", "fines", "목적", "цели")
	textTitleGroups   = language.New("groups", "grupos", "그룹", "группы")
	textTitleRobots   = language.New("robots.txt", "robots.txt", "robots.txt", "robots.txt")
	textTitleDelay    = language.New("crawl-delay", "crawl-delay", "crawl-delay", "crawl-delay")
	textTitleMeta     = language.New("META names", "nombres META", "META 이름", "имена META")
	textTitleRanges   = language.New("ranges", "rangos", "주소 범위", "диапазоны")
	textTitleDNS      = language.New("DNS", "DNS", "DNS 이름", "имена DNS")
	textTitleDocs     = language.New("documented", "documentación", "문서", "описание")
	textTitleSource   = language.New("source code", "código fuente", "소스 코드", "исходный код")
	textTitleChecked  = language.New("checked", "comprobado", "확인일", "проверено")

	kindTexts = map[agent.Kind]language.Text{
		agent.Unknown: language.New("unknown", "desconocida", "알 수 없음", "неизвестен"),
		agent.Browser: language.New("browser", "navegador", "브라우저", "браузер"),
		agent.App:     language.New("app", "aplicación", "앱", "приложение"),
		agent.Robot:   language.New("robot", "robot", "로봇", "робот"),
		agent.Program: language.New("program", "programa", "프로그램", "программа"),
	}
	obedienceTexts = map[agent.Obedience]language.Text{
		agent.Unsaid:  language.New("unknown", "no se sabe", "알 수 없음", "неизвестно"),
		agent.Obeys:   language.New("yes", "sí", "예", "да"),
		agent.Partly:  language.New("partly", "en parte", "일부", "отчасти"),
		agent.Ignores: language.New("no", "no", "아니요", "нет"),
	}
	delayTexts = map[agent.Delay]language.Text{
		agent.DelayIgnored: language.New("ignored", "ignorado", "무시함", "не учитывается"),
		agent.DelayPause:   language.New("seconds between two requests", "segundos entre dos peticiones", "두 요청 사이의 초", "секунды между двумя запросами"),
		agent.DelayRate:    language.New("seconds in which it makes one request at most", "segundos en los que hace una petición como máximo", "최대 한 번 요청하는 기간(초)", "секунды, за которые он делает не больше одного запроса"),
	}
	whyTexts = map[string]language.Text{
		"address":      language.New("it gives the address %[1]s", "da la dirección %[1]s", "주소 %[1]s⟨을/를⟩ 밝힘", "указан адрес %[1]s"),
		"robot-word":   language.New("the word %[1]s", "la palabra %[1]s", "낱말 %[1]s", "слово %[1]s"),
		"playing":      language.New("it plays a browser, but has the name %[1]s", "se hace pasar por un navegador, pero tiene el nombre %[1]s", "브라우저로 가장하지만 이름이 %[1]s임", "выдаёт себя за браузер, но имеет имя %[1]s"),
		"tool-word":    language.New("the tool %[1]s", "la herramienta %[1]s", "도구 %[1]s", "инструмент %[1]s"),
		"browser-word": language.New("the browser's word %[1]s", "la palabra de navegador %[1]s", "브라우저의 낱말 %[1]s", "слово браузера %[1]s"),
		"device-word":  language.New("the device's word %[1]s", "la palabra de dispositivo %[1]s", "기기의 낱말 %[1]s", "слово устройства %[1]s"),
		"app-word":     language.New("the program for people %[1]s", "el programa para personas %[1]s", "사람이 쓰는 프로그램 %[1]s", "программа для людей %[1]s"),
		"other-word":   language.New("the name %[1]s, and no browser", "el nombre %[1]s, y ningún navegador", "브라우저가 아닌 이름 %[1]s", "имя %[1]s, и это не браузер"),
	}
)
