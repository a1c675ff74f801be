package auditsites

import "github.com/robotsexclusion/robots/internal/language"

// Notes. The first placeholder of those about commits is the option with its value.
var (
	textOnlyHost = language.New(
		"Requests whose lines name no host count as requests to %[1]s, the only host with versions of robots.txt.",
		"Las peticiones cuyas líneas no nombran un host cuentan como peticiones a %[1]s, el único host con versiones de robots.txt.",
		"호스트 이름이 없는 줄의 요청은 robots.txt 버전이 있는 유일한 호스트 %[1]s의 요청으로 셉니다.",
		"Запросы, строки которых не называют хоста, считаются запросами к %[1]s: только у этого хоста есть версии robots.txt.")
	textShallow = language.New(
		"%[1]s: the repository is a shallow clone, so robots.txt is not known before %[2]s.",
		"%[1]s: el repositorio es un clon superficial, así que robots.txt no se conoce antes de %[2]s.",
		"%[1]s: 저장소가 얕은 복제본이어서 %[2]s 전의 robots.txt는 알 수 없습니다.",
		"%[1]s: репозиторий — неполный клон, поэтому robots.txt до %[2]s неизвестен.")
	textEarlyCommits = language.New(
		"%[1]s: commits that are dated before their parents count from the time of their parents: %[2]s.",
		"%[1]s: los commits con fecha anterior a la de sus padres cuentan desde la fecha de estos: %[2]s.",
		"%[1]s: 부모보다 날짜가 앞선 커밋은 부모의 시각부터 셉니다: %[2]s개.",
		"%[1]s: коммиты, датированные раньше своих родителей, считаются со времени родителей: %[2]s.")
	textNoFile = language.New(
		"%[1]s: from commit %[2]s on, the path is a link or a folder, so robots.txt is not known.",
		"%[1]s: desde el commit %[2]s la ruta es un enlace o una carpeta, así que robots.txt no se conoce.",
		"%[1]s: 커밋 %[2]s부터 경로가 링크나 폴더여서 robots.txt를 알 수 없습니다.",
		"%[1]s: с коммита %[2]s путь — ссылка или папка, поэтому robots.txt неизвестен.")
	textDiffer = language.New(
		"%[1]s: %[2]s had different robots.txt files at times, and logs do not tell these origins apart. Where the files differ, robots.txt is not known. To choose an origin, name it with --site.",
		"%[1]s: %[2]s tuvieron a veces robots.txt distintos, y los registros no distinguen esos orígenes. Mientras difieren, robots.txt no se conoce. Para elegir un origen, indíquelo con --site.",
		"%[1]s: %[2]s의 robots.txt가 서로 다른 때가 있었고, 로그로는 이 오리진들을 구별할 수 없습니다. 서로 다른 동안에는 robots.txt를 알 수 없습니다. 하나를 고르려면 --site로 지정하십시오.",
		"%[1]s: у %[2]s robots.txt временами различались, а по журналам эти источники не различить. Пока файлы различаются, robots.txt неизвестен. Чтобы выбрать один источник, назовите его с помощью --site.")
	textCutFile = language.New(
		"A robots.txt of %[1]s was longer than the limit of the request. The text after the limit is not known.",
		"Un robots.txt de %[1]s superaba el límite de la petición. El texto posterior al límite no se conoce.",
		"%[1]s의 robots.txt 하나가 요청의 한도보다 길었습니다. 한도 뒤의 내용은 알 수 없습니다.",
		"Один из robots.txt %[1]s был длиннее предела запроса. Текст после предела неизвестен.")
	textHistoryEnds = language.New(
		"The history of %[1]s in %[2]s ends with the last request for robots.txt, at %[3]s. Later requests in the logs are not held against this history.",
		"El historial de %[1]s en %[2]s termina con la última petición de robots.txt, en %[3]s. Las peticiones posteriores de los registros no se juzgan con ese historial.",
		"%[2]s에 있는 %[1]s의 기록은 robots.txt를 마지막으로 요청한 %[3]s에 끝납니다. 그 뒤의 로그 요청은 이 기록으로 판정하지 않습니다.",
		"История %[1]s в %[2]s кончается последним запросом robots.txt, %[3]s. Более поздние запросы журналов по этой истории не проверяются.")
	textDamaged = language.New(
		"A text of %[1]s is missing or damaged, so robots.txt is not known from %[2]s on: %[3]s",
		"Falta un texto de %[1]s o está dañado, así que robots.txt no se conoce desde %[2]s: %[3]s",
		"%[1]s의 본문 하나가 없거나 손상되어 %[2]s부터 robots.txt를 알 수 없습니다: %[3]s",
		"Один из текстов %[1]s утрачен или повреждён, поэтому robots.txt с %[2]s неизвестен: %[3]s")
)
