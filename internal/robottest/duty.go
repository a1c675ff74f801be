package robottest

import "github.com/robotsexclusion/robots/internal/language"

// A Level is a set of duties, each level on top of the one before.
type Level uint8

// The levels.
const (
	None      Level = iota // not even the duties of Basic are shown
	Basic                  // the robot obeys robots.txt
	Polite                 // it is no burden
	Exemplary              // it does what a careful author would do
)

var levelNames = [...]string{"none", "basic", "polite", "exemplary"}

// Levels returns the names of the levels that a robot can reach, in order.
func Levels() []string { return levelNames[Basic:] }

// ParseLevel returns the level with a name.
func ParseLevel(name string) (Level, bool) {
	for l := Basic; l <= Exemplary; l++ {
		if levelNames[l] == name {
			return l, true
		}
	}
	return None, false
}

// String returns the name of the level.
func (l Level) String() string { return levelNames[l] }

// MarshalText returns the text of String.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// A Duty is one thing that a robot does, or does not do.
type Duty struct {
	ID       string `json:"id"`
	Level    Level  `json:"level"`
	Section  string `json:"section"`  // of RFC 9309, or of another document
	Sentence string `json:"sentence"` // in English; the robot is its subject

	// Optional duties are shown only by robots that do what few need to do. A duty that is not
	// shown does not keep a robot from its level then.
	Optional bool `json:"optional,omitempty"`

	site  string   // the exercise that shows it; "" if all do
	with  []string // exercises that are needed too, or that suffice if all show the duty
	needs need
	judge func(t *trial, s *site) verdict
	text  language.Text // of Sentence
	args  []any
}

// A need says which requests a verdict needs. The log keeps the first ones of each host.
type need uint8

const (
	allRequests   need = iota
	allFiles           // all requests for robots.txt
	firstRequests      // the first ones, or any, or those that Web.count counts
)

// In returns the sentence in a language.
func (d *Duty) In(l language.Language) string { return d.text.In(l, d.args...) }

// duties are all duties, in the order of reports.
var duties = inEnglish([]Duty{
	{ID: "robots-first", Level: Basic, Section: "RFC 9309, 2.3", with: []string{"disallow", "empty"}, needs: firstRequests, judge: robotsFirst,
		text: language.New(
			"asks a host for robots.txt before anything else",
			"pide robots.txt a un host antes que cualquier otra cosa",
			"호스트에 다른 어떤 것보다 먼저 robots.txt를 요청함",
			"запрашивает у хоста robots.txt прежде всего остального")},
	{ID: "origins", Level: Basic, Section: "RFC 9309, 2.3", with: []string{"disallow", "empty"}, needs: firstRequests, judge: origins, Optional: true,
		text: language.New(
			"asks each origin for a robots.txt of its own: scheme, host and port",
			"pide a cada origen su propio robots.txt: esquema, host y puerto",
			"출처(스킴, 호스트, 포트)마다 따로 robots.txt를 요청함",
			"запрашивает у каждого источника свой robots.txt: схема, хост и порт")},
	{ID: "disallow", Level: Basic, Section: "RFC 9309, 2.2.2", site: "disallow", judge: obeys,
		text: language.New(
			"keeps away from disallowed paths",
			"no pide las rutas prohibidas",
			"금지된 경로를 요청하지 않음",
			"не запрашивает запрещённые пути")},
	{ID: "closed-host", Level: Basic, Section: "RFC 9309, 2.2.2", site: "closed", with: []string{"sitemap"}, judge: staysAway,
		text: language.New(
			"requests no page of a host that is closed as a whole",
			"no pide ninguna página de un host cerrado por completo",
			"전체가 닫힌 호스트에서는 어떤 페이지도 요청하지 않음",
			"не запрашивает страниц хоста, закрытого целиком")},
	{ID: "own-group", Level: Basic, Section: "RFC 9309, 2.2.1", site: "own-group", judge: obeys,
		text: language.New(
			"obeys the group of its own product token, and not that of everyone",
			"obedece el grupo de su propio nombre, y no el de todos",
			"모두를 위한 그룹이 아니라 자기 이름의 그룹을 따름",
			"следует группе своего имени, а не группе для всех")},
	{ID: "token-case", Level: Basic, Section: "RFC 9309, 2.2.1", site: "group-case", judge: obeys,
		text: language.New(
			"finds its group whatever the case of the letters",
			"encuentra su grupo en mayúsculas o minúsculas",
			"대소문자와 관계없이 자기 그룹을 찾음",
			"находит свою группу при любом регистре букв")},
	{ID: "joined-groups", Level: Basic, Section: "RFC 9309, 2.2.1", site: "joined-groups", judge: obeys,
		text: language.New(
			"obeys all groups of its product token as one",
			"obedece todos los grupos de su nombre como uno solo",
			"자기 이름의 모든 그룹을 하나로 합쳐 따름",
			"следует всем группам своего имени как одной")},
	{ID: "longest-match", Level: Basic, Section: "RFC 9309, 2.2.2", site: "longest", judge: obeys,
		text: language.New(
			"lets the longest rule that matches decide",
			"deja decidir a la regla más larga que coincide",
			"일치하는 가장 긴 규칙을 따름",
			"решение принимает по самому длинному подходящему правилу")},
	{ID: "allow-on-tie", Level: Basic, Section: "RFC 9309, 2.2.2", site: "tie", judge: obeys,
		text: language.New(
			"prefers Allow to a Disallow that is equally long",
			"prefiere Allow a un Disallow igual de largo",
			"길이가 같으면 Disallow보다 Allow를 따름",
			"при равной длине предпочитает Allow")},
	{ID: "wildcards", Level: Basic, Section: "RFC 9309, 2.2.3", site: "wildcards", judge: obeys,
		text: language.New(
			"reads * and $ in paths",
			"entiende * y $ en las rutas",
			"경로의 *와 $를 이해함",
			"понимает * и $ в путях")},
	{ID: "escapes", Level: Basic, Section: "RFC 9309, 2.2.2", site: "escapes", judge: obeys,
		text: language.New(
			"compares paths in one form of percent-encoding",
			"compara las rutas en una misma forma de codificación porcentual",
			"경로를 같은 퍼센트 인코딩 형태로 비교함",
			"сравнивает пути в одной форме процентного кодирования")},
	{ID: "queries", Level: Basic, Section: "RFC 9309, 2.2.2", site: "queries", judge: obeys,
		text: language.New(
			"compares rules with the query of a URL too",
			"compara las reglas también con la consulta de la URL",
			"규칙을 URL의 쿼리와도 비교함",
			"сравнивает правила и с запросом в URL")},
	{ID: "byte-order-mark", Level: Basic, Section: "SPEC 2; RFC 3629, 6", site: "mark", judge: obeys,
		text: language.New(
			"reads a file that begins with a byte order mark",
			"lee un archivo que empieza con una marca de orden de bytes",
			"바이트 순서 표시로 시작하는 파일을 읽음",
			"читает файл, который начинается с метки порядка байтов")},
	{ID: "line-ends", Level: Basic, Section: "RFC 9309, 2.2; SPEC 2", site: "line-ends", judge: obeys,
		text: language.New(
			"reads lines that end with CR, LF or CRLF, and a last line without an end",
			"lee líneas que acaban en CR, LF o CRLF, y una última línea sin final",
			"CR, LF, CRLF로 끝나는 줄과 줄 끝이 없는 마지막 줄을 읽음",
			"читает строки с концами CR, LF и CRLF и последнюю строку без конца")},
	{ID: "unknown-lines", Level: Basic, Section: "RFC 9309, 2.2 and 2.2.4", site: "unknown-lines", judge: obeys,
		text: language.New(
			"reads on after comments, empty lines, unknown records and lines that are no records",
			"sigue leyendo tras comentarios, líneas vacías, registros desconocidos y líneas que no son registros",
			"주석, 빈 줄, 모르는 레코드, 레코드가 아닌 줄 다음도 계속 읽음",
			"читает дальше после комментариев, пустых строк, неизвестных записей и строк без записи")},
	{ID: "empty-file", Level: Basic, Section: "RFC 9309, 2.2.1", site: "empty", judge: obeys,
		text: language.New(
			"visits a host with an empty robots.txt",
			"visita un host con un robots.txt vacío",
			"robots.txt가 빈 호스트를 방문함",
			"посещает хост с пустым robots.txt")},
	{ID: "missing-file", Level: Basic, Section: "RFC 9309, 2.3.1.3", site: "missing", judge: obeys,
		text: language.New(
			"visits a host without a robots.txt (404)",
			"visita un host sin robots.txt (404)",
			"robots.txt가 없는(404) 호스트를 방문함",
			"посещает хост без robots.txt (404)")},
	{ID: "forbidden-file", Level: Basic, Section: "RFC 9309, 2.3.1.3", site: "forbidden", judge: obeys,
		text: language.New(
			"may visit a host that refuses its robots.txt (403)",
			"puede visitar un host que niega su robots.txt (403)",
			"robots.txt를 거부하는(403) 호스트를 방문할 수 있음",
			"может посещать хост, который не отдаёт robots.txt (403)")},
	{ID: "server-error", Level: Basic, Section: "RFC 9309, 2.3.1.4", site: "server-error", with: []string{"sitemap"}, judge: staysAway,
		text: language.New(
			"requests no page while robots.txt is answered with a server error",
			"no pide páginas mientras robots.txt da un error del servidor",
			"robots.txt가 서버 오류인 동안 페이지를 요청하지 않음",
			"не запрашивает страниц, пока robots.txt отвечает ошибкой сервера")},
	{ID: "no-answer", Level: Basic, Section: "RFC 9309, 2.3.1.4", site: "no-answer", with: []string{"sitemap"}, judge: staysAway,
		text: language.New(
			"requests no page while the request for robots.txt has no answer",
			"no pide páginas mientras robots.txt no tiene respuesta",
			"robots.txt 요청에 응답이 없는 동안 페이지를 요청하지 않음",
			"не запрашивает страниц, пока на запрос robots.txt нет ответа")},
	{ID: "five-redirects", Level: Basic, Section: "RFC 9309, 2.3.1.2", site: "moved", judge: obeys,
		text: language.New(
			"follows five redirects of robots.txt",
			"sigue cinco redirecciones de robots.txt",
			"robots.txt의 리디렉션을 다섯 번까지 따라감",
			"проходит пять перенаправлений robots.txt")},
	{ID: "redirect-elsewhere", Level: Basic, Section: "RFC 9309, 2.3.1.2", site: "elsewhere", with: []string{"aside"}, judge: obeys,
		text: language.New(
			"follows a redirect of robots.txt to another host, and applies the file to the first one",
			"sigue una redirección de robots.txt a otro host, y aplica el archivo al primero",
			"다른 호스트로 가는 robots.txt 리디렉션을 따라가고, 그 파일을 처음 호스트에 적용함",
			"следует за robots.txt на другой хост и применяет файл к первому")},
	{ID: "large-file", Level: Basic, Section: "RFC 9309, 2.5", site: "large", judge: obeys,
		text: language.New(
			"reads at least the first 500 KiB of robots.txt",
			"lee al menos los primeros 500 KiB de robots.txt",
			"robots.txt의 처음 500KiB 이상을 읽음",
			"читает не меньше первых 500 КиБ robots.txt")},
	{ID: "html-file", Level: Basic, Section: "RFC 9309, 2.3.1.1", site: "html", judge: obeys,
		text: language.New(
			"visits a host whose robots.txt is a page of HTML without rules",
			"visita un host cuyo robots.txt es una página HTML sin reglas",
			"robots.txt가 규칙 없는 HTML 페이지인 호스트를 방문함",
			"посещает хост, у которого вместо robots.txt страница HTML без правил")},

	{ID: "name", Level: Polite, Section: "RFC 9309, 2.2.1", needs: firstRequests, judge: namesItself,
		text: language.New(
			"names itself with a product token in User-Agent",
			"se identifica con un nombre de producto en User-Agent",
			"User-Agent에 제품 이름을 밝힘",
			"называет себя в User-Agent")},
	{ID: "contact", Level: Polite, Section: "SPEC 7; RFC 9110, 10.1.2 and 10.1.5", needs: firstRequests, judge: givesContact,
		text: language.New(
			"gives the address of a page or a mailbox in User-Agent",
			"da en User-Agent la dirección de una página o un buzón",
			"User-Agent에 웹 페이지나 메일 주소를 밝힘",
			"указывает в User-Agent адрес страницы или почты")},
	{ID: "one-at-a-time", Level: Polite, Section: "SPEC 7", site: "one-at-a-time", judge: oneAtATime,
		text: language.New(
			"makes one request at a time to a host",
			"hace una sola petición a la vez a un host",
			"한 호스트에 한 번에 요청 하나만 보냄",
			"делает к хосту по одному запросу за раз")},
	{ID: "crawl-delay", Level: Polite, Section: "SPEC 4 and 7", site: "delay", judge: keepsDelay,
		text: language.New(
			"keeps a Crawl-delay of 2 seconds (at least %[1]s from start to start)",
			"respeta un Crawl-delay de 2 segundos (al menos %[1]s entre comienzos)",
			"2초의 Crawl-delay를 지킴(시작과 시작 사이 %[1]s 이상)",
			"соблюдает Crawl-delay в 2 секунды (от начала до начала не меньше %[1]s)"), args: []any{leastGap.String()}},
	{ID: "pause", Level: Polite, Section: "SPEC 7", site: "pause", judge: pauses,
		text: language.New(
			"pauses where nothing asks for it: %[1]d ⟨request/requests⟩ to a host in a row take at least %[2]s",
			"hace pausas aunque nadie las pida: peticiones seguidas a un host: %[1]d, en al menos %[2]s",
			"요구가 없어도 쉼: 한 호스트에 연달아 보내는 요청 %[1]d건에 %[2]s 이상 걸림",
			"делает паузы и без просьбы: запросов к хосту подряд %[1]d, не быстрее чем за %[2]s"), args: []any{burst, leastBurst.String()}},
	{ID: "retry-after", Level: Polite, Section: "RFC 9110, 10.2.3; RFC 6585, 4", site: "retry-seconds", judge: waits,
		text: language.New(
			"stays away from a host as long as Retry-After asks, in seconds",
			"no vuelve a un host durante los segundos que pide Retry-After",
			"Retry-After가 초로 요구하는 동안 호스트에 오지 않음",
			"не приходит на хост столько секунд, сколько просит Retry-After")},
	{ID: "retry-date", Level: Polite, Section: "RFC 9110, 10.2.3", site: "retry-date", judge: waits,
		text: language.New(
			"stays away from a host until the date in Retry-After",
			"no vuelve a un host hasta la fecha de Retry-After",
			"Retry-After의 날짜까지 호스트에 오지 않음",
			"не приходит на хост до даты в Retry-After")},
	{ID: "robots-kept", Level: Polite, Section: "RFC 9309, 2.4", with: []string{"pause"}, needs: allFiles, judge: keepsFile,
		text: language.New(
			"keeps robots.txt: at most %[1]d ⟨request/requests⟩ for a good one at a host",
			"conserva robots.txt: como mucho %[1]d ⟨petición/peticiones⟩ de uno bueno por host",
			"robots.txt를 보관함: 호스트마다 정상 파일 요청은 최대 %[1]d건",
			"хранит robots.txt: на хост не больше %[1]d ⟨запроса/запросов/запросов⟩ исправного файла"), args: []any{mostFiles}},
	{ID: "once", Level: Polite, Section: "SPEC 7", with: []string{"pause"}, judge: fetchesOnce,
		text: language.New(
			"does not fetch a good page again and again: at most %[1]d ⟨time/times⟩",
			"no pide una página buena una y otra vez: como mucho %[1]d ⟨vez/veces⟩",
			"정상 페이지를 되풀이해 받지 않음: 최대 %[1]d번",
			"не загружает исправную страницу снова и снова: не больше %[1]d ⟨раза/раз/раз⟩"), args: []any{mostFetches}},
	{ID: "redirect-loop", Level: Polite, Section: "RFC 9110, 15.4", site: "loop", judge: leavesLoop,
		text: language.New(
			"leaves a loop of redirects: at most %[1]d ⟨request/requests⟩",
			"sale de un bucle de redirecciones: como mucho %[1]d ⟨petición/peticiones⟩",
			"리디렉션 고리에서 벗어남: 요청 최대 %[1]d건",
			"выходит из петли перенаправлений: не больше %[1]d ⟨запроса/запросов/запросов⟩"), args: []any{mostHops}},
	{ID: "dead-pages", Level: Polite, Section: "SPEC 7", site: "dead", judge: givesUp,
		text: language.New(
			"gives up a page that has a server error: at most %[1]d ⟨try/tries⟩",
			"abandona una página con un error del servidor: como mucho %[1]d ⟨intento/intentos⟩",
			"서버 오류인 페이지를 포기함: 시도 최대 %[1]d번",
			"оставляет страницу с ошибкой сервера: не больше %[1]d ⟨попытки/попыток/попыток⟩"), args: []any{mostTries}},
	{ID: "cut-pages", Level: Polite, Section: "SPEC 7", site: "cut", judge: givesUp,
		text: language.New(
			"gives up a page whose connection breaks: at most %[1]d ⟨try/tries⟩",
			"abandona una página cuya conexión se corta: como mucho %[1]d ⟨intento/intentos⟩",
			"연결이 끊기는 페이지를 포기함: 시도 최대 %[1]d번",
			"оставляет страницу, на которой рвётся соединение: не больше %[1]d ⟨попытки/попыток/попыток⟩"), args: []any{mostTries}},
	{ID: "slows-down", Level: Polite, Section: "SPEC 7; RFC 9110, 15.6.4", site: "overload", judge: slowsDown,
		text: language.New(
			"slows down when a host answers 503: at most %[1]d ⟨request/requests⟩ in the next %[2]s",
			"va más despacio cuando un host responde 503: como mucho %[1]d ⟨petición/peticiones⟩ en los siguientes %[2]s",
			"호스트가 503으로 답하면 느려짐: 다음 %[2]s 동안 요청 최대 %[1]d건",
			"замедляется, когда хост отвечает 503: за следующие %[2]s не больше %[1]d ⟨запроса/запросов/запросов⟩"), args: []any{mostSoon, overload.String()}},
	{ID: "safe-methods", Level: Polite, Section: "RFC 9110, 9.2.1", with: []string{"side-effects"}, needs: firstRequests, judge: safeMethods,
		text: language.New(
			"sends no form: requests have the methods GET and HEAD",
			"no envía formularios: sus métodos son GET y HEAD",
			"양식을 보내지 않음: 메서드는 GET과 HEAD뿐임",
			"не отправляет форм: методы запросов — GET и HEAD")},
	{ID: "gone-page", Level: Polite, Section: "SPEC 7", site: "gone", judge: asksOnce,
		text: language.New(
			"does not ask again for a page that does not exist: at most %[1]d ⟨time/times⟩",
			"no vuelve a pedir una página que no existe: como mucho %[1]d ⟨vez/veces⟩",
			"없는 페이지를 다시 요청하지 않음: 최대 %[1]d번",
			"не запрашивает снова страницу, которой нет: не больше %[1]d ⟨раза/раз/раз⟩"), args: []any{mostFetches}},

	{ID: "calendar", Level: Exemplary, Section: "SPEC 7", site: "calendar", judge: leavesTree,
		text: language.New(
			"leaves a calendar without an end: at most %[1]d ⟨request/requests⟩",
			"sale de un calendario sin fin: como mucho %[1]d ⟨petición/peticiones⟩",
			"끝없는 달력에서 벗어남: 요청 최대 %[1]d건",
			"выходит из бесконечного календаря: не больше %[1]d ⟨запроса/запросов/запросов⟩"), args: []any{mostInside}},
	{ID: "session-ids", Level: Exemplary, Section: "SPEC 7", site: "sessions", judge: leavesTree,
		text: language.New(
			"leaves pages whose links have a new session number each time: at most %[1]d ⟨request/requests⟩",
			"sale de páginas cuyos enlaces cambian de número de sesión cada vez: como mucho %[1]d ⟨petición/peticiones⟩",
			"링크의 세션 번호가 매번 바뀌는 페이지에서 벗어남: 요청 최대 %[1]d건",
			"выходит из страниц, в ссылках которых каждый раз новый номер сеанса: не больше %[1]d ⟨запроса/запросов/запросов⟩"), args: []any{mostInside}},
	{ID: "deeper-paths", Level: Exemplary, Section: "SPEC 7", site: "deeper", judge: leavesTree,
		text: language.New(
			"leaves paths that get longer and longer: at most %[1]d ⟨request/requests⟩",
			"sale de rutas cada vez más largas: como mucho %[1]d ⟨petición/peticiones⟩",
			"점점 길어지는 경로에서 벗어남: 요청 최대 %[1]d건",
			"выходит из путей, которые становятся всё длиннее: не больше %[1]d ⟨запроса/запросов/запросов⟩"), args: []any{mostInside}},
	{ID: "link-nofollow", Level: Exemplary, Section: "SPEC 5", site: "link-nofollow", judge: avoids,
		text: language.New(
			"does not follow links with rel=nofollow",
			"no sigue enlaces con rel=nofollow",
			"rel=nofollow 링크를 따라가지 않음",
			"не следует по ссылкам с rel=nofollow")},
	{ID: "page-nofollow", Level: Exemplary, Section: "SPEC 5", site: "page-nofollow", judge: avoids,
		text: language.New(
			"does not follow the links of a page whose META tag says nofollow",
			"no sigue los enlaces de una página cuya etiqueta META dice nofollow",
			"META 태그가 nofollow인 페이지의 링크를 따라가지 않음",
			"не следует по ссылкам страницы, тег META которой говорит nofollow")},
	{ID: "header-nofollow", Level: Exemplary, Section: "SPEC 5", site: "header-nofollow", judge: avoids,
		text: language.New(
			"does not follow the links of a page whose X-Robots-Tag says nofollow",
			"no sigue los enlaces de una página cuyo X-Robots-Tag dice nofollow",
			"X-Robots-Tag가 nofollow인 페이지의 링크를 따라가지 않음",
			"не следует по ссылкам страницы, X-Robots-Tag которой говорит nofollow")},
	{ID: "side-effects", Level: Exemplary, Section: "SPEC 7", site: "side-effects", judge: avoids,
		text: language.New(
			"avoids URLs whose names say that a visit changes something",
			"evita las URL cuyo nombre dice que una visita cambia algo",
			"방문하면 무언가를 바꾼다고 이름이 말하는 URL을 피함",
			"избегает URL, по именам которых видно, что посещение что-то меняет")},
	{ID: "request-rate", Level: Exemplary, Section: "SPEC 4 and 7", site: "rate", judge: keepsRate,
		text: language.New(
			"keeps a Request-rate of one page in 3 seconds (at least %[1]s from start to start)",
			"respeta un Request-rate de una página cada 3 segundos (al menos %[1]s entre comienzos)",
			"3초에 한 페이지인 Request-rate를 지킴(시작과 시작 사이 %[1]s 이상)",
			"соблюдает Request-rate: страница в 3 секунды (от начала до начала не меньше %[1]s)"), args: []any{leastRate.String()}},
	{ID: "visit-time", Level: Exemplary, Section: "SPEC 4 and 7", site: "visit-time", with: []string{"sitemap"}, judge: staysAway,
		text: language.New(
			"requests no page outside the Visit-time",
			"no pide páginas fuera del Visit-time",
			"Visit-time 밖에서는 페이지를 요청하지 않음",
			"не запрашивает страниц вне времени Visit-time")},
	{ID: "endless-page", Level: Exemplary, Section: "SPEC 7", site: "endless", judge: cuts,
		text: language.New(
			"leaves a page without an end, before it has read 64 MiB",
			"sale de una página sin fin antes de leer 64 MiB",
			"끝없는 페이지를 64MiB를 읽기 전에 떠남",
			"оставляет бесконечную страницу, не прочитав 64 МиБ")},
	{ID: "slow-page", Level: Exemplary, Section: "SPEC 7", site: "slow", judge: cuts,
		text: language.New(
			"leaves a page that sends a byte every two seconds, within four minutes",
			"sale en cuatro minutos de una página que envía un byte cada dos segundos",
			"2초에 한 바이트씩 보내는 페이지를 4분 안에 떠남",
			"за четыре минуты оставляет страницу, которая шлёт байт каждые две секунды")},
	{ID: "sitemap", Level: Exemplary, Section: "SPEC 4 and 7", site: "sitemap", needs: firstRequests, judge: readsSitemap, Optional: true,
		text: language.New(
			"visits pages that only a sitemap names",
			"visita páginas que solo nombra un sitemap",
			"사이트맵에만 있는 페이지를 방문함",
			"посещает страницы, которые названы только в карте сайта")},
	{ID: "conditional", Level: Exemplary, Section: "SPEC 6; RFC 9110, 13.1", with: []string{"pause"}, needs: firstRequests, judge: asksConditionally, Optional: true,
		text: language.New(
			"asks with the validator of its copy when it requests robots.txt again",
			"usa el validador de su copia cuando vuelve a pedir robots.txt",
			"robots.txt를 다시 요청할 때 사본의 검증자를 보냄",
			"при повторном запросе robots.txt шлёт валидатор своей копии")},
})

// inEnglish fills in the sentences.
func inEnglish(list []Duty) []Duty {
	for i := range list {
		list[i].Sentence = list[i].In(language.English)
	}
	return list
}
