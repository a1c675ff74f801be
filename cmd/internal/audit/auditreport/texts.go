package auditreport

import "github.com/robotsexclusion/robots/internal/language"

// Why nothing was judged.
var (
	textNoRequests = language.New(
		"no line of the logs could be read: name their format with --format",
		"no se pudo leer ninguna línea de los registros: indique su formato con --format",
		"로그에서 읽을 수 있는 줄이 없음: --format으로 형식을 지정할 것",
		"ни одной строки журналов не удалось прочесть: назовите их формат с помощью --format")
	textNoUserAgent = language.New(
		"nothing could be judged: the logs do not have the User-Agent of requests; let the server log it, as the format combined does",
		"no se pudo juzgar nada: los registros no tienen el User-Agent de las peticiones; haga que el servidor lo registre, como en el formato combined",
		"아무것도 판정할 수 없음: 로그에 요청의 User-Agent가 없음. combined 형식처럼 서버가 기록하게 할 것",
		"судить не о чем: в журналах нет User-Agent запросов; пусть сервер записывает его, как в формате combined")
	textNoVersions = language.New(
		"nothing could be judged: no robots.txt is given for lines that name no host; name it with --robots, and the host with --site",
		"no se pudo juzgar nada: no se ha indicado ningún robots.txt para líneas que no nombran un host; indíquelo con --robots, y el host con --site",
		"아무것도 판정할 수 없음: 호스트 이름이 없는 줄에 쓸 robots.txt가 주어지지 않음. --robots로, 호스트는 --site로 지정할 것",
		"судить не о чем: не задан robots.txt для строк, которые не называют хоста; назовите его с помощью --robots, а хост с помощью --site")
	textNoHosts = language.New(
		"nothing could be judged: no robots.txt is given for the hosts of the logs, %[1]s; name it with --robots HOST=FILE",
		"no se pudo juzgar nada: no se ha indicado ningún robots.txt para los hosts de los registros, %[1]s; indíquelo con --robots HOST=FILE",
		"아무것도 판정할 수 없음: 로그의 호스트(%[1]s)에 쓸 robots.txt가 주어지지 않음. --robots HOST=FILE로 지정할 것",
		"судить не о чем: не задан robots.txt для хостов из журналов, %[1]s; назовите его с помощью --robots HOST=FILE")
)

// The head of a report.
var (
	textTitle = language.New(
		"Audit of access logs against robots.txt",
		"Auditoría de registros de acceso frente a robots.txt",
		"robots.txt에 따른 접근 로그 감사",
		"Проверка журналов доступа по robots.txt")
	textRequestsRead = language.New(
		"%[1]d ⟨request/requests⟩, %[2]s UTC",
		"%[1]d ⟨petición/peticiones⟩, %[2]s UTC",
		"요청 %[1]d건, %[2]s UTC",
		"%[1]d ⟨запрос/запроса/запросов⟩, %[2]s UTC")
	textUnreadable = language.New(
		"%[1]d ⟨line/lines⟩ of %[2]s could not be read",
		"líneas que no se pudieron leer: %[1]d de %[2]s",
		"전체 %[2]s줄 중 %[1]d줄을 읽지 못함",
		"не удалось прочесть строк: %[1]d из %[2]s")
	textDisobeyed = language.New(
		"requests in the name of %[1]d ⟨robot/robots⟩ certainly did not obey robots.txt",
		"robots en cuyo nombre con seguridad no se obedeció robots.txt: %[1]d",
		"그 이름을 댄 요청이 robots.txt를 확실히 어긴 로봇: %[1]d개",
		"роботов, под именем которых точно нарушен robots.txt: %[1]d")
	textNoneCertain = language.New(
		"no certain violation of robots.txt",
		"ninguna infracción segura de robots.txt",
		"robots.txt를 확실히 어긴 요청 없음",
		"точных нарушений robots.txt нет")
)

// The columns of the tables.
var (
	textRobot    = language.New("robot", "robot", "로봇", "робот")
	textOperator = language.New("operator", "operador", "운영자", "оператор")
	textPurposes = language.New("purposes", "fines", "목적", "цели")
	textRequests = language.New("requests", "peticiones", "요청", "запросы")
	textBytes    = language.New("bytes", "bytes", "바이트", "байты")
	textReads    = language.New("robots.txt read", "lecturas de robots.txt", "robots.txt 읽음", "чтений robots.txt")
	textRefused  = language.New("refused", "rechazadas", "거부", "отказы")
	textObeys    = language.New("says it obeys", "dice que obedece", "준수 선언", "обещает соблюдать")
	textCertain  = language.New("certain", "seguras", "확실", "точно")
	textInformed = language.New("informed", "avisadas", "인지", "знал")
	textGrace    = language.New("grace", "gracia", "유예", "отсрочка")
	textForgery  = language.New("forged", "falsas", "위조", "подделки")
	textIdentity = language.New("identity", "identidad", "신원", "личность")
	textPacing   = language.New("pace", "ritmo", "속도", "темп")
	textHost     = language.New("host", "host", "호스트", "хост")
	textVersion  = language.New("version", "versión", "버전", "версия")
	textState    = language.New("state", "estado", "상태", "состояние")
	textInForce  = language.New("in force (UTC)", "en vigor (UTC)", "적용 기간(UTC)", "действует (UTC)")
	textStatuses = language.New("statuses", "códigos de estado", "상태 코드", "коды ответа")
	textPeriod   = language.New("period (UTC)", "periodo (UTC)", "기간(UTC)", "период (UTC)")
	textEvidence = language.New("evidence", "prueba", "증거", "свидетельство")
	textDetails  = language.New("details", "detalles", "자세히", "подробности")
	textReason   = language.New("reason", "motivo", "이유", "причина")
	textJudged   = language.New("judged", "juzgado", "판정", "проверен")
	textYes      = language.New("yes", "sí", "예", "да")
	textNo       = language.New("no", "no", "아니요", "нет")
)

// Cells.
var (
	textVerified       = language.New("verified", "verificada", "확인됨", "подтверждена")
	textForged         = language.New("forged", "falsificada", "위조됨", "подделана")
	textUnverifiable   = language.New("unverified", "sin verificar", "확인 안 됨", "не проверена")
	textPartlyVerified = language.New("%[1]s %% verified", "%[1]s %% verificada", "%[1]s%% 확인됨", "%[1]s %% подтверждено")
	textPace           = language.New("%[1]s apart", "cada %[1]s", "%[1]s 간격", "каждые %[1]s")
	textPaceAsked      = language.New("%[1]s apart, asked %[2]s", "cada %[1]s, pedido %[2]s", "%[1]s 간격, 요청 %[2]s", "каждые %[1]s, просили %[2]s")
	textPaceFaster     = language.New(
		"%[1]s apart, asked %[2]s, %[3]s too fast",
		"cada %[1]s, pedido %[2]s, %[3]s demasiado rápidas",
		"%[1]s 간격, 요청 %[2]s, 너무 빠름 %[3]s건",
		"каждые %[1]s, просили %[2]s, слишком быстро: %[3]s")
	textLineRule   = language.New("line %[1]d: %[2]s", "línea %[1]d: %[2]s", "%[1]d행: %[2]s", "строка %[1]d: %[2]s")
	textLate       = language.New("later than given, as the logs show", "más tarde de lo indicado, según los registros", "로그에 따르면 지정된 때보다 늦음", "позже указанного, судя по журналам")
	textNoName     = language.New("(no name)", "(sin nombre)", "(이름 없음)", "(без имени)")
	textNoHost     = language.New("(no host in the log)", "(sin host en el registro)", "(로그에 호스트 없음)", "(в журнале нет хоста)")
	textNoCases    = language.New("No request that was judged is disallowed.", "Ninguna de las peticiones juzgadas está prohibida.", "판정한 요청 가운데 금지된 것이 없습니다.", "Ни один из проверенных запросов не запрещён.")
	textNoneJudged = language.New("No request of this robot was judged: see the requests that are not judged, by reason.", "Ninguna petición de este robot fue juzgada: vea las peticiones sin juzgar, por motivo.", "이 로봇의 요청은 하나도 판정하지 않았습니다. 판정하지 않은 요청의 이유를 보십시오.", "Ни один запрос этого робота не проверен: причины указаны среди непроверенных запросов.")
	textNotJudged  = language.New("Programs that do not call themselves robots are not judged.", "Los programas que no se llaman robots no se juzgan.", "로봇이라고 밝히지 않는 프로그램은 판정하지 않습니다.", "Программы, которые не называют себя роботами, не проверяются.")
	textOtherBots  = language.New("%[1]d further ⟨robot/robots⟩: --json lists all", "%[1]d ⟨robot/robots⟩ más: --json los enumera todos", "그 밖의 로봇 %[1]d개: --json으로 모두 볼 수 있음", "ещё роботов: %[1]d; --json показывает всех")
	textMoreRules  = language.New("%[1]d further ⟨rule/rules⟩: --json lists all", "%[1]d ⟨regla/reglas⟩ más: --json las enumera todas", "그 밖의 규칙 %[1]d개: --json으로 모두 볼 수 있음", "ещё правил: %[1]d; --json показывает все")
)

// The parts of a report.
var (
	textRobots     = language.New("Robots", "Robots", "로봇", "Роботы")
	textWorstCases = language.New("Worst cases", "Los peores casos", "가장 심한 경우", "Худшие случаи")
	textUnjudged   = language.New("Not judged", "Sin juzgar", "판정하지 않은 요청", "Не проверено")
	textVersions   = language.New("Versions of robots.txt", "Versiones de robots.txt", "robots.txt 버전", "Версии robots.txt")
	textHosts      = language.New("Hosts", "Hosts", "호스트", "Хосты")
	textNotes      = language.New("Notes", "Notas", "참고", "Примечания")
	textMeaning    = language.New(
		"Certain: each version of robots.txt that the robot may have relied on disallows the request. Informed: the robot had read a version that disallows it. Grace: the robot may have had an older copy.",
		"Seguras: todas las versiones de robots.txt en las que el robot pudo basarse prohíben la petición. Avisadas: el robot había leído una versión que la prohíbe. Gracia: el robot pudo tener una copia anterior.",
		"확실: 로봇이 따랐을 수 있는 모든 robots.txt 버전이 요청을 금지함. 인지: 로봇이 요청을 금지하는 버전을 읽었음. 유예: 로봇이 예전 사본을 가지고 있었을 수 있음.",
		"Точно: запрос запрещает каждая версия robots.txt, которой робот мог следовать. Знал: робот прочёл версию, которая запрещает запрос. Отсрочка: у робота могла быть прежняя копия.")
	textCase = language.New(
		"%[2]s: %[1]d ⟨request/requests⟩ (certain %[3]s, informed %[4]s, grace %[5]s)",
		"%[2]s: %[1]d ⟨petición/peticiones⟩ (seguras %[3]s, avisadas %[4]s, gracia %[5]s)",
		"%[2]s: 요청 %[1]d건(확실 %[3]s, 인지 %[4]s, 유예 %[5]s)",
		"%[2]s: %[1]d ⟨запрос/запроса/запросов⟩ (точно %[3]s, знал %[4]s, отсрочка %[5]s)")
	textWriteLetter = language.New(
		"To write to the operator of a robot, add --incident with the name of the robot: it prints a letter with the evidence.",
		"Para escribir al operador de un robot, añada --incident con el nombre del robot: imprime una carta con las pruebas.",
		"로봇 운영자에게 알리려면 --incident와 로봇 이름을 덧붙이십시오. 증거를 담은 편지를 출력합니다.",
		"Чтобы написать оператору робота, добавьте --incident с именем робота: будет напечатано письмо с доказательствами.")
	textOfVersion     = language.New("version %[1]s, %[2]s UTC", "versión %[1]s, %[2]s UTC", "버전 %[1]s, %[2]s UTC", "версия %[1]s, %[2]s UTC")
	textOfHostVersion = language.New("%[1]s, version %[2]s, %[3]s UTC", "%[1]s, versión %[2]s, %[3]s UTC", "%[1]s, 버전 %[2]s, %[3]s UTC", "%[1]s, версия %[2]s, %[3]s UTC")
)

// Why requests are not judged.
var (
	textUnnamed      = language.New("without a User-Agent in the log", "sin User-Agent en el registro", "로그에 User-Agent가 없음", "без User-Agent в журнале")
	textOfPrograms   = language.New("of programs that do not call themselves robots", "de programas que no se llaman robots", "로봇이라고 밝히지 않는 프로그램의 요청", "от программ, которые не называют себя роботами")
	textOfForgers    = language.New("of clients that are not the robot they name", "de clientes que no son el robot que nombran", "자칭한 로봇이 아닌 클라이언트의 요청", "от клиентов, которые не те роботы, какими назвались")
	textWithoutPath  = language.New("without a path", "sin ruta", "경로가 없음", "без пути")
	textToOtherHosts = language.New("to hosts whose robots.txt is not given", "a hosts cuyo robots.txt no se ha indicado", "robots.txt가 주어지지 않은 호스트로 간 요청", "к хостам, чей robots.txt не задан")
	textOfOthers     = language.New("of further robots and programs that are in no table", "de otros robots y programas que no están en ninguna tabla", "표에 없는 그 밖의 로봇과 프로그램의 요청", "от прочих роботов и программ, которых нет в таблице")
	textNotEveryone  = language.New("of robots that do not obey *, or that fetch pages for persons, where only * is for them", "de robots que no obedecen *, o que piden páginas para personas, donde solo * les concierne", "*를 따르지 않거나 사람을 대신해 페이지를 가져오는 로봇에 *만 해당하는 경우", "от роботов, которые не соблюдают * или запрашивают страницы для людей, где им предназначена только *")
)

// Units of time.
var (
	textSeconds = language.New("%[1]s s", "%[1]s s", "%[1]s초", "%[1]s с")
	textMinutes = language.New("%[1]s min", "%[1]s min", "%[1]s분", "%[1]s мин")
	textHours   = language.New("%[1]s h", "%[1]s h", "%[1]s시간", "%[1]s ч")
	textDays    = language.New("%[1]s d", "%[1]s d", "%[1]s일", "%[1]s сут")
)

// States of robots.txt, and charts.
var (
	textServed  = language.New("served", "servido", "제공됨", "отдавался")
	textNothing = language.New("none: everything is allowed", "ninguno: todo está permitido", "없음: 모두 허용", "нет: разрешено всё")
	textUnknown = language.New("unknown: nothing is held against robots", "desconocido: no se reprocha nada a los robots", "알 수 없음: 위반으로 보지 않음", "неизвестен: роботам ничего не вменяется")
	textByHour  = language.New("Requests by time", "Peticiones por hora", "시간별 요청", "Запросы по времени")
)
