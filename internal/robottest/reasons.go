package robottest

import "github.com/robotsexclusion/robots/internal/language"

// The reasons of verdicts about robots.txt.
var (
	textNoPage = language.New(
		"the robot requested no page",
		"el robot no pidió ninguna página",
		"로봇이 페이지를 하나도 요청하지 않음",
		"робот не запросил ни одной страницы")
	textOnlyStart = language.New(
		"the robot requested no page but the start page",
		"el robot no pidió ninguna página más que la de inicio",
		"로봇이 시작 페이지 말고는 페이지를 하나도 요청하지 않음",
		"робот не запросил ни одной страницы, кроме начальной")
	textNoRequest = language.New(
		"the robot made no request",
		"el robot no hizo ninguna petición",
		"로봇이 요청을 하나도 보내지 않음",
		"робот не сделал ни одного запроса")
	textNotFirst = language.New(
		"the first request to a host was not for robots.txt",
		"la primera petición a un host no fue para robots.txt",
		"호스트에 보낸 첫 요청이 robots.txt가 아님",
		"первый запрос к хосту был не за robots.txt")
	textOtherPort = language.New(
		"the robot asked another port for robots.txt, and not this one",
		"el robot pidió robots.txt a otro puerto, y no a este",
		"로봇이 이 포트가 아니라 다른 포트에 robots.txt를 요청함",
		"робот запросил robots.txt у другого порта, а не у этого")
	textFewPorts = language.New(
		"the robot did not request pages at two ports or more: hosts with names of their own cannot show this",
		"el robot no pidió páginas en dos puertos o más: los host con nombre propio no pueden mostrar esto",
		"로봇이 두 개 이상의 포트에서 페이지를 요청하지 않음: 고유한 이름이 있는 호스트로는 알 수 없음",
		"робот не запросил страниц с двух или более портов: хосты с собственными именами этого не покажут")
	textNoVisit = language.New(
		"the robot did not visit %[1]s",
		"el robot no visitó %[1]s",
		"로봇이 %[1]s⟨을/를⟩ 방문하지 않음",
		"робот не посетил %[1]s")
	textOnlyFile = language.New(
		"the robot requested robots.txt of %[1]s, and no page",
		"el robot pidió robots.txt de %[1]s, y ninguna página",
		"로봇이 %[1]s의 robots.txt만 요청하고 페이지는 요청하지 않음",
		"робот запросил robots.txt хоста %[1]s и ни одной страницы")
	textNoToken = language.New(
		"robots.txt could not name the robot: its product token was not known; name it with --agent",
		"robots.txt no pudo nombrar al robot: no se conocía su nombre de producto; indíquelo con --agent",
		"제품 이름을 알 수 없어 robots.txt에 로봇의 이름을 쓰지 못함: --agent로 지정할 것",
		"robots.txt не назвал робота: его имя неизвестно; укажите его через --agent")
	textDisallowed = language.New(
		"robots.txt says line %[1]d: %[2]s",
		"robots.txt dice en la línea %[1]d: %[2]s",
		"robots.txt %[1]d행: %[2]s",
		"robots.txt, строка %[1]d: %[2]s")
	textUnread = language.New(
		"the robot did not read robots.txt of %[1]s before the first page",
		"el robot no leyó robots.txt de %[1]s antes de la primera página",
		"로봇이 첫 페이지 전에 %[1]s의 robots.txt를 읽지 않음",
		"робот не прочёл robots.txt хоста %[1]s до первой страницы")
	textAllowedNotRequested = language.New(
		"the robot did not request %[1]s, which is allowed",
		"el robot no pidió %[1]s, que está permitido",
		"로봇이 허용된 %[1]s⟨을/를⟩ 요청하지 않음",
		"робот не запросил разрешённый путь %[1]s")
	textClosedNow = language.New(
		"no page of this host may be requested now",
		"ahora no se puede pedir ninguna página de este host",
		"지금은 이 호스트의 어떤 페이지도 요청할 수 없음",
		"сейчас с этого хоста нельзя запрашивать страниц")
	textNotAsked = language.New(
		"the robot did not ask %[1]s for robots.txt",
		"el robot no pidió robots.txt a %[1]s",
		"로봇이 %[1]s에 robots.txt를 요청하지 않음",
		"робот не запросил robots.txt у %[1]s")
	textSilentAfterFile = language.New(
		"the robot made no request anywhere in the %[1]s after the answer: it may have been stopped",
		"el robot no hizo ninguna petición en %[1]s tras la respuesta: quizá se detuvo",
		"응답 뒤 %[1]s 동안 로봇의 요청이 없음: 멈췄을 수 있음",
		"после ответа робот %[1]s не делал запросов: возможно, он остановлен")
	textHostQueued = language.New(
		"the robot may have pages of %[1]s in its queue: it was still busy when the test ended",
		"quizá el robot tenga en cola páginas de %[1]s: seguía ocupado cuando terminó la prueba",
		"%[1]s의 페이지가 로봇의 대기열에 있을 수 있음: 시험이 끝날 때 로봇이 아직 바빴음",
		"страницы %[1]s могут быть в очереди робота: когда тест кончился, он был ещё занят")
	textManyFiles = language.New(
		"%[1]d ⟨request/requests⟩ for the same robots.txt",
		"%[1]d ⟨petición/peticiones⟩ del mismo robots.txt",
		"같은 robots.txt에 대한 요청 %[1]d건",
		"%[1]d ⟨запрос/запроса/запросов⟩ одного и того же robots.txt")
	textFewWithFile = language.New(
		"the robot requested robots.txt of no host together with %[1]d ⟨page/pages⟩ of the host",
		"el robot no pidió de ningún host robots.txt y además %[1]d ⟨página/páginas⟩",
		"로봇이 robots.txt와 함께 페이지 %[1]d개를 요청한 호스트가 없음",
		"ни с одного хоста робот не запросил robots.txt и ещё %[1]d ⟨страницу/страницы/страниц⟩")
	textNotConditional = language.New(
		"the robot did not ask again for a robots.txt with If-None-Match or If-Modified-Since",
		"el robot no volvió a pedir ningún robots.txt con If-None-Match o If-Modified-Since",
		"로봇이 If-None-Match나 If-Modified-Since로 robots.txt를 다시 요청하지 않음",
		"робот не запросил robots.txt повторно с If-None-Match или If-Modified-Since")
)

// The reasons of verdicts about manners.
var (
	textNameless = language.New(
		"User-Agent names no robot",
		"User-Agent no nombra a ningún robot",
		"User-Agent에 로봇 이름이 없음",
		"User-Agent не называет робота")
	textNoContact = language.New(
		"User-Agent has neither a URL nor a mail address, and there is no From field",
		"User-Agent no tiene ni una URL ni una dirección de correo, y no hay campo From",
		"User-Agent에 URL도 메일 주소도 없고 From 필드도 없음",
		"в User-Agent нет ни URL, ни адреса почты, и нет поля From")
	textTwoAtOnce = language.New(
		"a request began while another to the same host was open",
		"una petición empezó mientras otra al mismo host seguía abierta",
		"같은 호스트에 대한 다른 요청이 끝나기 전에 요청이 시작됨",
		"запрос начался, пока другой к тому же хосту не был закончен")
	textFewSlow = language.New(
		"the robot requested %[1]d of the slow pages of %[2]s, and three show something",
		"páginas lentas de %[2]s que pidió el robot: %[1]d, y hacen falta tres",
		"로봇이 %[2]s의 느린 페이지 %[1]d개를 요청함: 세 개가 필요함",
		"медленных страниц %[2]s запрошено: %[1]d, а нужно три")
	textShortGap = language.New(
		"a request began %[1]s after the one before",
		"una petición empezó %[1]s después de la anterior",
		"앞 요청보다 %[1]s 뒤에 요청이 시작됨",
		"запрос начался через %[1]s после предыдущего")
	textFewGaps = language.New(
		"the robot requested %[1]d ⟨page/pages⟩ of %[2]s after it read robots.txt, and three show something",
		"páginas de %[2]s que pidió el robot tras leer robots.txt: %[1]d, y hacen falta tres",
		"robots.txt를 읽은 뒤 로봇이 %[2]s의 페이지 %[1]d개를 요청함: 세 개가 필요함",
		"страниц %[2]s, запрошенных после чтения robots.txt: %[1]d, а нужно три")
	textRapid = language.New(
		"%[1]d ⟨request/requests⟩ began within %[2]s",
		"%[1]d ⟨petición/peticiones⟩ en %[2]s",
		"%[2]s 안에 요청 %[1]d건이 시작됨",
		"%[1]d ⟨запрос/запроса/запросов⟩ за %[2]s")
	textFewInRow = language.New(
		"the robot requested %[1]d ⟨page/pages⟩ of %[2]s, and %[3]d show something",
		"páginas de %[2]s que pidió el robot: %[1]d, y hacen falta %[3]d",
		"로봇이 %[2]s의 페이지 %[1]d개를 요청함: %[3]d개가 필요함",
		"страниц %[2]s запрошено: %[1]d, а нужно %[3]d")
	textFewerThanTwo = language.New(
		"the robot requested fewer than two pages of %[1]s",
		"el robot pidió menos de dos páginas de %[1]s",
		"로봇이 %[1]s의 페이지를 두 개 미만 요청함",
		"робот запросил меньше двух страниц %[1]s")
	textTooSoon = language.New(
		"a request began %[1]s after an answer that asked for %[2]s",
		"una petición empezó %[1]s después de una respuesta que pedía esperar %[2]s",
		"%[2]s 기다리라는 응답의 %[1]s 뒤에 요청이 시작됨",
		"запрос начался через %[1]s после ответа, который просил подождать %[2]s")
	textSentAtOnce = language.New(
		"the robot sent its last requests to %[1]s at once, and perhaps before it had the answer with Retry-After",
		"el robot envió de una vez sus últimas peticiones a %[1]s, quizá antes de tener la respuesta con Retry-After",
		"로봇이 %[1]s에 마지막 요청들을 한꺼번에 보냄: Retry-After 응답을 받기 전일 수 있음",
		"последние запросы к %[1]s робот отправил сразу, возможно, ещё до ответа с Retry-After")
	textSentBefore503 = language.New(
		"the robot sent its requests to %[1]s at once, and perhaps before it had the first answer 503",
		"el robot envió de una vez sus peticiones a %[1]s, quizá antes de tener la primera respuesta 503",
		"로봇이 %[1]s에 요청들을 한꺼번에 보냄: 첫 503 응답을 받기 전일 수 있음",
		"запросы к %[1]s робот отправил сразу, возможно, ещё до первого ответа 503")
	textSilentAfterRetry = language.New(
		"the robot made no request anywhere after the time that Retry-After asks for: it may have been stopped",
		"el robot no hizo ninguna petición después del tiempo que pide Retry-After: quizá se detuvo",
		"Retry-After가 요구한 시간이 지난 뒤 로봇의 요청이 없음: 멈췄을 수 있음",
		"после срока из Retry-After робот не делал запросов: возможно, он остановлен")
	textAgain = language.New(
		"the same page was requested again",
		"se volvió a pedir la misma página",
		"같은 페이지를 다시 요청함",
		"та же страница запрошена снова")
	textFewPages = language.New(
		"the robot fetched fewer than five pages of any host",
		"el robot no obtuvo cinco páginas de ningún host",
		"로봇이 어느 호스트에서도 페이지를 다섯 개 이상 받지 않음",
		"ни с одного хоста робот не получил пяти страниц")
	textInLoop = language.New(
		"%[1]d ⟨request/requests⟩ in a loop of redirects",
		"%[1]d ⟨petición/peticiones⟩ en un bucle de redirecciones",
		"리디렉션 고리 안의 요청 %[1]d건",
		"%[1]d ⟨запрос/запроса/запросов⟩ в кольце перенаправлений")
	textForDead = language.New(
		"%[1]d ⟨request/requests⟩ for a page without a good answer",
		"%[1]d ⟨petición/peticiones⟩ de una página sin respuesta válida",
		"제대로 응답하지 않는 페이지에 대한 요청 %[1]d건",
		"%[1]d ⟨запрос/запроса/запросов⟩ страницы без годного ответа")
	textForGone = language.New(
		"%[1]d ⟨request/requests⟩ for a page that does not exist",
		"%[1]d ⟨petición/peticiones⟩ de una página que no existe",
		"없는 페이지에 대한 요청 %[1]d건",
		"%[1]d ⟨запрос/запроса/запросов⟩ страницы, которой нет")
	textNotThatPage = language.New(
		"the robot did not request the page of %[1]s that this is about",
		"el robot no pidió la página de %[1]s de que se trata",
		"로봇이 %[1]s의 해당 페이지를 요청하지 않음",
		"робот не запросил нужную здесь страницу %[1]s")
	textSilentAfterwards = language.New(
		"the robot made no request anywhere afterwards: it may have been stopped, or would have come again",
		"el robot no hizo ninguna petición después: quizá se detuvo, o habría vuelto",
		"그 뒤로 로봇의 요청이 없음: 멈췄거나 다시 왔을 수 있음",
		"после этого робот не делал запросов: возможно, он остановлен или пришёл бы снова")
	textLinkToMissing = language.New(
		"the robot did not request %[1]s, which links to the missing page too",
		"el robot no pidió %[1]s, que también enlaza a la página inexistente",
		"로봇이 없는 페이지로 링크하는 %[1]s⟨을/를⟩ 요청하지 않음",
		"робот не запросил %[1]s, где тоже есть ссылка на отсутствующую страницу")
	textSoonAfter503 = language.New(
		"%[1]d ⟨request/requests⟩ in the %[2]s after the first answer 503",
		"%[1]d ⟨petición/peticiones⟩ en %[2]s tras la primera respuesta 503",
		"첫 503 응답 뒤 %[2]s 동안 요청 %[1]d건",
		"%[1]d ⟨запрос/запроса/запросов⟩ за %[2]s после первого ответа 503")
	textFewerThanThree = language.New(
		"the robot requested fewer than three pages of %[1]s",
		"el robot pidió menos de tres páginas de %[1]s",
		"로봇이 %[1]s의 페이지를 세 개 미만 요청함",
		"робот запросил меньше трёх страниц %[1]s")
	textSilentAfter503 = language.New(
		"the robot made no request anywhere more than %[1]s later: it may have been stopped",
		"el robot no hizo ninguna petición más de %[1]s después: quizá se detuvo",
		"%[1]s 넘게 지난 뒤로 로봇의 요청이 없음: 멈췄을 수 있음",
		"спустя больше %[1]s робот не делал запросов: возможно, он остановлен")
	textUnsafe = language.New(
		"the method is for changes",
		"el método es para hacer cambios",
		"변경을 위한 메서드임",
		"этот метод предназначен для изменений")
	textNoForm = language.New(
		"the robot did not visit %[1]s, which has a form",
		"el robot no visitó %[1]s, que tiene un formulario",
		"로봇이 양식이 있는 %[1]s⟨을/를⟩ 방문하지 않음",
		"робот не посетил %[1]s, где есть форма")
)

// The reasons of verdicts about traps and directives.
var (
	textInTree = language.New(
		"%[1]d ⟨request/requests⟩ into a tree that has no end",
		"%[1]d ⟨petición/peticiones⟩ en un árbol sin fin",
		"끝이 없는 트리에 대한 요청 %[1]d건",
		"%[1]d ⟨запрос/запроса/запросов⟩ в дерево без конца")
	textNoTree = language.New(
		"the robot did not enter the tree of %[1]s",
		"el robot no entró en el árbol de %[1]s",
		"로봇이 %[1]s의 트리에 들어가지 않음",
		"робот не вошёл в дерево %[1]s")
	textStillWalking = language.New(
		"the robot was still walking in the tree when the test ended, after %[1]d ⟨request/requests⟩",
		"el robot seguía en el árbol cuando terminó la prueba, tras %[1]d ⟨petición/peticiones⟩",
		"시험이 끝날 때 로봇이 요청 %[1]d건 뒤에도 아직 트리 안에 있었음",
		"когда тест кончился, робот всё ещё шёл по дереву: %[1]d ⟨запрос/запроса/запросов⟩")
	textBait = language.New(
		"nothing but a link to avoid leads there",
		"allí solo lleva un enlace que hay que evitar",
		"피해야 할 링크로만 갈 수 있는 곳임",
		"туда ведёт только ссылка, которой нельзя следовать")
	textMaybeQueued = language.New(
		"the robot may have the links of the page in its queue: it was still busy when the test ended",
		"quizá el robot tenga en cola los enlaces de la página: seguía ocupado cuando terminó la prueba",
		"페이지의 링크가 로봇의 대기열에 있을 수 있음: 시험이 끝날 때 로봇이 아직 바빴음",
		"ссылки страницы могут быть в очереди робота: когда тест кончился, он был ещё занят")
	textTryQueued = language.New(
		"the robot may have such a request in its queue: it was still busy when the test ended",
		"quizá el robot tenga en cola otra petición así: seguía ocupado cuando terminó la prueba",
		"그런 요청이 로봇의 대기열에 더 있을 수 있음: 시험이 끝날 때 로봇이 아직 바빴음",
		"такой запрос может быть в очереди робота: когда тест кончился, он был ещё занят")
	textNotRequestedOf = language.New(
		"the robot did not request %[1]s of %[2]s",
		"el robot no pidió %[1]s de %[2]s",
		"로봇이 %[2]s의 %[1]s⟨을/를⟩ 요청하지 않음",
		"робот не запросил %[1]s хоста %[2]s")
	textWaited = language.New(
		"the robot waited for the end",
		"el robot esperó hasta el final",
		"로봇이 끝까지 기다림",
		"робот ждал до конца")
	textNotLeft = language.New(
		"the robot did not request the page of %[1]s, or had not left it when the test ended",
		"el robot no pidió la página de %[1]s, o no la había dejado cuando terminó la prueba",
		"로봇이 %[1]s의 페이지를 요청하지 않았거나, 시험이 끝날 때까지 떠나지 않음",
		"робот не запросил страницу %[1]s или не оставил её до конца теста")
	textNoSitemap = language.New(
		"the robot did not request the page that only the sitemap of %[1]s has",
		"el robot no pidió la página que solo está en el sitemap de %[1]s",
		"로봇이 %[1]s의 사이트맵에만 있는 페이지를 요청하지 않음",
		"робот не запросил страницу, которая есть только в карте сайта %[1]s")
	textNotAllKept = language.New(
		"the robot made more requests to a host than the report keeps",
		"el robot hizo a un host más peticiones de las que guarda el informe",
		"로봇이 한 호스트에 보고서가 보관하는 것보다 많은 요청을 보냄",
		"робот сделал к хосту больше запросов, чем хранит отчёт")
)
