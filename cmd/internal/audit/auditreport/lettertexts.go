package auditreport

import "github.com/robotsexclusion/robots/internal/language"

// The head of a letter.
var (
	letterSubject    = language.New("Subject: %[1]s and our robots.txt", "Asunto: %[1]s y nuestro robots.txt", "제목: %[1]s 로봇과 저희 robots.txt", "Тема: %[1]s и наш robots.txt")
	letterTo         = language.New("To the operator of %[1]s", "Al operador de %[1]s", "%[1]s 운영자께", "Оператору робота %[1]s")
	letterToOperator = language.New("To %[2]s, the operator of %[1]s", "A %[2]s, operador de %[1]s", "%[1]s 운영자 %[2]s 귀중", "В %[2]s, оператору робота %[1]s")
	letterIntro      = language.New(
		"The access logs of our site have %[1]d ⟨request/requests⟩ with the name %[2]s in the User-Agent header (%[3]s). We compared each request with the robots.txt that was in force at its time. All times are in UTC.",
		"Los registros de acceso de nuestro sitio tienen %[1]d ⟨petición/peticiones⟩ con el nombre %[2]s en la cabecera User-Agent (%[3]s). Comparamos cada petición con el robots.txt que estaba en vigor en ese momento. Todas las horas son UTC.",
		"저희 사이트의 접근 로그에는 User-Agent 헤더에 %[2]s⟨이라는/라는⟩ 이름이 있는 요청이 %[1]d건 있습니다(%[3]s). 각 요청을 그 시각에 적용되던 robots.txt와 비교했습니다. 모든 시각은 UTC입니다.",
		"В журналах доступа нашего сайта есть %[1]d ⟨запрос/запроса/запросов⟩ с именем %[2]s в заголовке User-Agent (%[3]s). Каждый запрос мы сравнили с robots.txt, который действовал в то время. Всё время указано по UTC.")
)

// What the robot did.
var (
	letterDeeds   = language.New("What happened", "Qué ocurrió", "있었던 일", "Что произошло")
	letterCertain = language.New(
		"%[1]d ⟨request/requests⟩ certainly did not obey robots.txt (%[2]s).",
		"Peticiones que con seguridad no obedecieron robots.txt: %[1]d (%[2]s).",
		"robots.txt를 확실히 어긴 요청은 %[1]d건입니다(%[2]s).",
		"Запросов, которые точно нарушили robots.txt: %[1]d (%[2]s).")
	letterNoneCertain = language.New(
		"There is no certain violation of robots.txt. This letter accuses nobody, and only asks.",
		"No hay ninguna infracción segura de robots.txt. Esta carta no acusa a nadie; solo pregunta.",
		"robots.txt를 확실히 어긴 요청은 없습니다. 이 편지는 누구도 비난하지 않으며 문의만 드립니다.",
		"Точных нарушений robots.txt нет. Это письмо никого не обвиняет, а только спрашивает.")
	letterNotJudged = language.New(
		"We could not judge these requests by robots.txt, so there is no certain violation. This letter accuses nobody, and only asks.",
		"No pudimos juzgar estas peticiones según robots.txt, así que no hay ninguna infracción segura. Esta carta no acusa a nadie; solo pregunta.",
		"이 요청들은 robots.txt에 따라 판정할 수 없었으므로 확실한 위반은 없습니다. 이 편지는 누구도 비난하지 않으며 문의만 드립니다.",
		"Мы не смогли оценить эти запросы по robots.txt, так что точных нарушений нет. Это письмо никого не обвиняет, а только спрашивает.")
	letterUncertain = language.New(
		"Other disallowed requests, which are not certain violations: %[1]s informed, %[2]s in grace.",
		"Otras peticiones prohibidas, que no son infracciones seguras: %[1]s avisadas, %[2]s en gracia.",
		"확실한 위반은 아니지만 금지된 다른 요청: 인지 %[1]s건, 유예 %[2]s건.",
		"Другие запрещённые запросы, которые не являются точными нарушениями: знал — %[1]s, отсрочка — %[2]s.")
	letterNoneDisallowed = language.New(
		"We found no request that robots.txt disallowed at its time.",
		"No encontramos ninguna petición que robots.txt prohibiera en su momento.",
		"그 시각의 robots.txt가 금지한 요청은 찾지 못했습니다.",
		"Мы не нашли запросов, которые robots.txt запрещал в то время.")
	letterRefused = language.New(
		"The site refused %[1]s of all %[2]s requests (status 401, 403, 429 or 444).",
		"El sitio rechazó %[1]s de las %[2]s peticiones (código 401, 403, 429 o 444).",
		"사이트는 전체 요청 %[2]s건 중 %[1]s건을 거부했습니다(상태 코드 401, 403, 429, 444).",
		"Сайт отклонил %[1]s из всех запросов, которых %[2]s (код 401, 403, 429 или 444).")
	letterObeysNot = language.New(
		"The documents of the operator say that the robot does not always follow robots.txt.",
		"Según la documentación del operador, el robot no siempre sigue robots.txt.",
		"운영자의 문서에 따르면 이 로봇은 robots.txt를 항상 따르지는 않습니다.",
		"По документам оператора, робот следует robots.txt не всегда.")
)

// What the words mean.
var (
	letterMeanings     = language.New("What the words mean", "Qué significan las palabras", "용어의 뜻", "Что означают слова")
	letterMeansCertain = language.New(
		"Certain: each version of robots.txt that the robot may have relied on disallows the request.",
		"Segura: todas las versiones de robots.txt en las que el robot pudo basarse prohíben la petición.",
		"확실: 로봇이 따랐을 수 있는 모든 robots.txt 버전이 요청을 금지합니다.",
		"Точно: запрос запрещает каждая версия robots.txt, которой робот мог следовать.")
	letterMeansInformed = language.New(
		"Informed: the last robots.txt that the robot read at the same address disallows the request, but other robots at that address would look the same.",
		"Avisada: el último robots.txt que el robot leyó desde la misma dirección prohíbe la petición, pero otros robots en esa dirección se verían igual.",
		"인지: 로봇이 같은 주소에서 마지막으로 읽은 robots.txt가 요청을 금지하지만, 그 주소에 로봇이 여럿이어도 똑같이 보입니다.",
		"Знал: запрос запрещает последний robots.txt, который робот прочёл с того же адреса, но несколько роботов за одним адресом выглядят так же.")
	letterMeansGrace = language.New(
		"In grace: the robot may have had an older copy of robots.txt, or none, which allows the request.",
		"En gracia: el robot pudo tener una copia anterior de robots.txt, o ninguna, que permite la petición.",
		"유예: 로봇이 요청을 허용하는 예전 robots.txt 사본을 가졌거나 사본이 없었을 수 있습니다.",
		"Отсрочка: у робота могла быть прежняя копия robots.txt, которая разрешает запрос, или не быть никакой.")
	letterMeansRFC = language.New(
		"RFC 9309, section 2.4, says that robots SHOULD NOT use a copy for more than 24 hours; this is a recommendation, from which good reasons may excuse.",
		"RFC 9309, sección 2.4, dice que los robots no deberían (SHOULD NOT) usar una copia más de 24 horas; es una recomendación, de la que pueden dispensar buenas razones.",
		"RFC 9309 2.4절은 로봇이 사본을 24시간 넘게 쓰지 않아야 한다(SHOULD NOT)고 합니다. 이는 권고이며 타당한 이유가 있으면 예외가 될 수 있습니다.",
		"RFC 9309, раздел 2.4, говорит, что роботам не следует (SHOULD NOT) пользоваться копией дольше 24 часов; это рекомендация, от которой можно отступить по веским причинам.")
)

// The rules.
var (
	letterRulesTitle = language.New("The rules, and a line of the log for each", "Las reglas, con una línea del registro cada una", "규칙, 그리고 규칙마다 로그 한 줄", "Правила, и для каждого строка журнала")
	letterRule       = language.New(
		"%[1]d. %[2]d ⟨request/requests⟩: certain %[3]s (%[6]s), informed %[4]s, grace %[5]s.",
		"%[1]d. %[2]d ⟨petición/peticiones⟩: seguras %[3]s (%[6]s), avisadas %[4]s, gracia %[5]s.",
		"%[1]d. 요청 %[2]d건: 확실 %[3]s(%[6]s), 인지 %[4]s, 유예 %[5]s.",
		"%[1]d. %[2]d ⟨запрос/запроса/запросов⟩: точно %[3]s (%[6]s), знал %[4]s, отсрочка %[5]s.")
	letterRuleDoubtful = language.New(
		"%[1]d. %[2]d ⟨request/requests⟩, none of them certain: informed %[3]s, grace %[4]s (%[5]s).",
		"%[1]d. %[2]d ⟨petición/peticiones⟩, ninguna segura: avisadas %[3]s, gracia %[4]s (%[5]s).",
		"%[1]d. 요청 %[2]d건(확실한 위반 없음): 인지 %[3]s, 유예 %[4]s(%[5]s).",
		"%[1]d. %[2]d ⟨запрос/запроса/запросов⟩, точных нарушений нет: знал %[3]s, отсрочка %[4]s (%[5]s).")
	letterAlways = language.New(
		"version %[1]s, taken to be in force at all times",
		"versión %[1]s, que se supone en vigor en todo momento",
		"버전 %[1]s, 항상 적용된 것으로 봄",
		"версия %[1]s, которую считаем действовавшей всегда")
	letterVersionNames = language.New(
		"A version is called by the name of its file, by its commit in git, or by the SHA-256 of its text.",
		"Una versión se llama por el nombre de su archivo, por su commit en git o por el SHA-256 de su texto.",
		"버전은 파일 이름, git 커밋 또는 텍스트의 SHA-256으로 나타냅니다.",
		"Версия названа по имени файла, по коммиту в git или по SHA-256 текста.")
	letterSources = language.New("We know the versions from:", "Conocemos las versiones por:", "버전의 출처:", "Версии известны нам из:")
)

// Addresses, identity and pace.
var (
	letterAddresses = language.New("Addresses", "Direcciones", "주소", "Адреса")
	letterFrom      = language.New(
		"The disallowed requests came from %[1]d ⟨address/addresses⟩.",
		"Las peticiones prohibidas vinieron de %[1]d ⟨dirección/direcciones⟩.",
		"금지된 요청은 주소 %[1]d개에서 왔습니다.",
		"Запрещённые запросы пришли с %[1]d ⟨адреса/адресов/адресов⟩.")
	letterMost = language.New(
		"These are the %[1]s with the most violations:",
		"Estas son las %[1]s con más infracciones:",
		"위반이 가장 많은 주소 %[1]s개:",
		"Вот те из них, у которых больше всего нарушений (%[1]s):")
	letterAddress = language.New(
		"%[1]s: requests %[2]s, certain %[3]s",
		"%[1]s: peticiones %[2]s, seguras %[3]s",
		"%[1]s: 요청 %[2]s, 확실 %[3]s",
		"%[1]s: запросов %[2]s, точно %[3]s")
	letterHeaders    = language.New("User-Agent headers", "Cabeceras User-Agent", "User-Agent 헤더", "Заголовки User-Agent")
	letterHeadersAre = language.New(
		"Headers of the requests, up to five:",
		"Cabeceras de las peticiones, hasta cinco:",
		"요청의 헤더(최대 5개):",
		"Заголовки запросов, не больше пяти:")
	letterIdentity = language.New("Identity", "Identidad", "신원", "Личность")
	letterVerified = language.New(
		"The addresses are verified: they are the operator's by its published ranges or the DNS.",
		"Las direcciones están verificadas: son del operador según sus rangos publicados o el DNS.",
		"주소가 확인되었습니다. 공개된 주소 범위나 DNS에 따르면 운영자의 주소입니다.",
		"Адреса подтверждены: по опубликованным диапазонам или DNS они принадлежат оператору.")
	letterPartlyVerified = language.New(
		"%[1]s of %[2]s requests are from addresses verified as the operator's by its published ranges or the DNS, among them %[3]s of %[4]s certain violations. We cannot verify the others: anybody can send this header.",
		"%[1]s de %[2]s peticiones vienen de direcciones verificadas como del operador según sus rangos publicados o el DNS, entre ellas %[3]s de %[4]s infracciones seguras. Las demás no podemos verificarlas: cualquiera puede enviar esta cabecera.",
		"요청 %[2]s건 중 %[1]s건은 공개된 주소 범위나 DNS로 운영자의 것임이 확인된 주소에서 왔으며, 확실한 위반 %[4]s건 중 %[3]s건이 여기에 속합니다. 나머지는 확인할 수 없습니다. 이 헤더는 누구나 보낼 수 있습니다.",
		"%[1]s из %[2]s запросов пришли с адресов, которые по опубликованным диапазонам или DNS принадлежат оператору; среди них точных нарушений %[3]s из %[4]s. Остальные подтвердить нельзя: этот заголовок может послать кто угодно.")
	letterUnverifiable = language.New(
		"We cannot verify that these requests are yours: anybody can send this header.",
		"No podemos verificar que estas peticiones sean suyas: cualquiera puede enviar esta cabecera.",
		"이 요청이 귀하의 것인지 확인할 수 없습니다. 이 헤더는 누구나 보낼 수 있습니다.",
		"Мы не можем подтвердить, что эти запросы ваши: этот заголовок может послать кто угодно.")
	letterForged = language.New(
		"%[1]d ⟨request/requests⟩ with the name %[2]s came from addresses that are not the operator's. They are forged, are in no other number of this letter, and are not held against you.",
		"%[1]d ⟨petición/peticiones⟩ con el nombre %[2]s vinieron de direcciones que no son del operador. Son falsas, no están en ninguna otra cifra de esta carta y no se le imputan.",
		"%[2]s⟨이라는/라는⟩ 이름의 요청 %[1]d건은 운영자의 것이 아닌 주소에서 왔습니다. 위조된 요청이므로 이 편지의 다른 숫자에 들어 있지 않으며 귀하의 책임으로 보지 않습니다.",
		"%[1]d ⟨запрос/запроса/запросов⟩ с именем %[2]s пришли с адресов, которые не принадлежат оператору. Это подделки: их нет в других числах этого письма, и мы не ставим их вам в вину.")
	letterPace   = language.New("Pace", "Ritmo", "속도", "Темп")
	letterMedian = language.New(
		"The median gap between two requests was %[1]s, and the most requests in a minute were %[2]s.",
		"El intervalo mediano entre dos peticiones fue de %[1]s, y el máximo de peticiones en un minuto, de %[2]s.",
		"두 요청 사이 간격의 중앙값은 %[1]s, 1분 동안의 최대 요청 수는 %[2]s건입니다.",
		"Медиана промежутков между запросами — %[1]s, наибольшее число запросов за минуту — %[2]s.")
	letterPaceNotAsked = language.New(
		"robots.txt asked for no pause between requests.",
		"robots.txt no pedía ninguna pausa entre peticiones.",
		"robots.txt는 요청 사이의 간격을 정하지 않았습니다.",
		"robots.txt не просил о паузах между запросами.")
	letterPaceNotJudged = language.New(
		"We did not judge the pace by robots.txt: the times of the logs state no zone, or the robot's documents say that it ignores Crawl-delay.",
		"No juzgamos el ritmo según robots.txt: las horas de los registros no indican su zona, o la documentación del robot dice que ignora Crawl-delay.",
		"속도는 robots.txt에 따라 판정하지 않았습니다. 로그의 시각에 시간대가 없거나, 로봇의 문서에서 Crawl-delay를 무시한다고 밝히고 있습니다.",
		"Темп по robots.txt мы не оценивали: у времени в журналах нет часового пояса, или в документации робота сказано, что он не учитывает Crawl-delay.")
	letterRate = language.New(
		"robots.txt asked for no more requests than %[1]s (Request-rate). Requests that were certainly too many: %[2]s.",
		"robots.txt pedía no más peticiones que %[1]s (Request-rate). Peticiones que fueron con seguridad demasiadas: %[2]s.",
		"robots.txt가 요청한 최대 속도는 %[1]s입니다(Request-rate). 확실히 초과한 요청은 %[2]s건입니다.",
		"robots.txt просил о запросах не чаще %[1]s (Request-rate). Запросов, которые точно лишние: %[2]s.")
	letterVisits = language.New(
		"robots.txt asked for visits at %[1]s UTC (Visit-time). Requests that were certainly at another time: %[2]s.",
		"robots.txt pedía visitas a las %[1]s UTC (Visit-time). Peticiones que llegaron con seguridad a otra hora: %[2]s.",
		"robots.txt가 요청한 방문 시간은 %[1]s UTC입니다(Visit-time). 확실히 다른 시간에 온 요청은 %[2]s건입니다.",
		"robots.txt просил о посещениях в %[1]s UTC (Visit-time). Запросов, которые точно были в другое время: %[2]s.")
	letterPaceMeans = language.New(
		"RFC 9309 has no rule for the pace of robots. These lines of robots.txt are a request of ours, and not keeping them is no violation of the standard.",
		"RFC 9309 no tiene reglas sobre el ritmo de los robots. Estas líneas de robots.txt son una petición nuestra, y no cumplirlas no infringe el estándar.",
		"RFC 9309에는 로봇의 속도에 관한 규칙이 없습니다. robots.txt의 이 줄은 저희의 요청이며, 지키지 않아도 표준 위반은 아닙니다.",
		"В RFC 9309 нет правил о темпе роботов. Эти строки robots.txt — наша просьба, и её несоблюдение не нарушает стандарт.")
	letterDelayIsRate = language.New(
		"robots.txt asked for a pause of %[1]s (Crawl-delay). The robot's documents say that it reads Crawl-delay as a time in which it makes one request at most, so we did not judge its pauses.",
		"robots.txt pedía una pausa de %[1]s (Crawl-delay). La documentación del robot dice que interpreta Crawl-delay como un tiempo en el que hace una petición como máximo, así que no juzgamos sus pausas.",
		"robots.txt가 요청한 간격은 %[1]s입니다(Crawl-delay). 로봇의 문서에 따르면 로봇은 Crawl-delay를 요청을 최대 한 번 보내는 시간으로 해석하므로, 요청 사이의 간격은 판정하지 않았습니다.",
		"robots.txt просил о паузе %[1]s (Crawl-delay). В документации робота сказано, что он понимает Crawl-delay как время, за которое делает не больше одного запроса, поэтому его паузы мы не оценивали.")
	letterPaceKept = language.New(
		"robots.txt asked for a pause of %[1]s. No pause was certainly shorter than asked.",
		"robots.txt pedía una pausa de %[1]s. Ninguna pausa fue con seguridad más corta de lo pedido.",
		"robots.txt가 요청한 간격은 %[1]s입니다. 요청보다 확실히 짧은 간격은 없었습니다.",
		"robots.txt просил о паузе %[1]s. Пауз, которые точно короче, не было.")
	letterFaster = language.New(
		"robots.txt asked for a pause of %[1]s. Pauses that were certainly shorter than asked: %[2]s.",
		"robots.txt pedía una pausa de %[1]s. Pausas que fueron con seguridad más cortas de lo pedido: %[2]s.",
		"robots.txt가 요청한 간격은 %[1]s입니다. 요청보다 확실히 짧은 간격은 %[2]s번입니다.",
		"robots.txt просил о паузе %[1]s. Пауз, которые точно короче: %[2]s.")
)

// What the letter asks.
var (
	letterAsk         = language.New("What we ask", "Qué pedimos", "요청 사항", "О чём мы просим")
	letterAskIdentity = language.New(
		"Please tell us whether these requests and addresses are yours.",
		"Por favor, díganos si estas peticiones y direcciones son suyas.",
		"이 요청과 주소가 귀하의 것인지 알려 주십시오.",
		"Пожалуйста, сообщите, ваши ли эти запросы и адреса.")
	letterAskObey = language.New(
		"If the requests are yours, please let the robot obey robots.txt, and tell us the cause.",
		"Si las peticiones son suyas, haga por favor que el robot obedezca robots.txt, y díganos la causa.",
		"요청이 귀하의 것이라면 로봇이 robots.txt를 따르게 해 주시고 원인을 알려 주십시오.",
		"Если запросы ваши, сделайте, пожалуйста, так, чтобы робот соблюдал robots.txt, и назовите нам причину.")
	letterAskCheck = language.New(
		"If the requests are yours, please check how soon the robot follows a change of robots.txt.",
		"Si las peticiones son suyas, compruebe por favor cuánto tarda el robot en seguir un cambio de robots.txt.",
		"요청이 귀하의 것이라면 로봇이 robots.txt의 변경을 얼마나 빨리 따르는지 확인해 주십시오.",
		"Если запросы ваши, проверьте, пожалуйста, как скоро робот учитывает изменения robots.txt.")
	letterAskErrors = language.New(
		"If something in this letter is wrong, please tell us. We can send more lines of the logs.",
		"Si algo en esta carta es erróneo, díganoslo por favor. Podemos enviar más líneas de los registros.",
		"이 편지에 틀린 점이 있으면 알려 주십시오. 로그의 다른 줄도 보내 드릴 수 있습니다.",
		"Если в письме что-то неверно, сообщите нам, пожалуйста. Мы можем прислать и другие строки журналов.")
)

// Where the letter goes.
var (
	letterContacts = language.New(
		"For the sender, not a part of the letter: where it may go.",
		"Para el remitente, no es parte de la carta: adónde puede enviarse.",
		"보내는 사람을 위한 내용이며 편지의 일부가 아닙니다: 보낼 수 있는 곳.",
		"Для отправителя, не часть письма: куда его можно послать.")
	letterDocs = language.New(
		"The page on which the operator documents the robot:",
		"La página en la que el operador documenta el robot:",
		"운영자가 로봇을 설명하는 페이지:",
		"Страница, на которой оператор описывает робота:")
	letterHeaderContacts = language.New(
		"Addresses in the User-Agent header, in which anybody can write anything:",
		"Direcciones en la cabecera User-Agent, en la que cualquiera puede escribir lo que quiera:",
		"User-Agent 헤더에 있는 주소(누구나 아무 내용이나 쓸 수 있음):",
		"Адреса в заголовке User-Agent, в котором кто угодно может написать что угодно:")
	letterAbuse = language.New(
		"Contacts for abuse of the networks of the addresses, by the registries (RDAP):",
		"Contactos de abuso de las redes de las direcciones, según los registros de Internet (RDAP):",
		"주소 등록 기관(RDAP)에 따른, 주소가 속한 네트워크의 남용 신고처:",
		"Контакты для жалоб на сети этих адресов, по данным регистратур (RDAP):")
	letterNoAbuse   = language.New("none is named", "no se nombra ninguno", "등록된 곳 없음", "не указаны")
	letterNoContact = language.New(
		"None is known. With --rdap the registries are asked for the contacts of the networks that disallowed requests came from.",
		"No se conoce ninguno. Con --rdap se pregunta a los registros de Internet por los contactos de las redes de las que vinieron peticiones prohibidas.",
		"알려진 곳이 없습니다. --rdap을 쓰면 금지된 요청이 온 네트워크의 신고처를 등록 기관에 묻습니다.",
		"Ничего не известно. С --rdap у регистратур запрашиваются контакты сетей, с которых пришли запрещённые запросы.")
)
