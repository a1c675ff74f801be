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
