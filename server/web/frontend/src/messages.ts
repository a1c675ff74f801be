// The texts of the page in four languages. A text goes by its English form. Its placeholders, and the
// words in ⟨⟩ that depend on a number before them, are those of the Go package internal/language.

import { auditTexts } from "./auditmessages";
import { buildTexts } from "./buildmessages";
import { crawlEnglish, crawlTexts } from "./crawlmessages";
import { watchEnglish, watchTexts } from "./watchmessages";

export const languages = ["en", "es", "ko", "ru"] as const;
export type Language = (typeof languages)[number];

const own: Record<Language, string> = { en: "English", es: "Español", ko: "한국어", ru: "Русский" };

/** Returns the name of a language in that language. */
export function nameOfLanguage(l: Language): string {
  return own[l];
}

// texts has the texts in Spanish, Korean and Russian, by the English ones.
const texts = {
  "%[1]d ⟨change/changes⟩": ["%[1]d ⟨cambio/cambios⟩", "변경 %[1]d건", "%[1]d ⟨изменение/изменения/изменений⟩"],
  "%[1]d ⟨directive/directives⟩": ["%[1]d ⟨directiva/directivas⟩", "지시어 %[1]d개", "%[1]d ⟨директива/директивы/директив⟩"],
  "%[1]d ⟨finding/findings⟩": ["%[1]d ⟨hallazgo/hallazgos⟩", "발견된 문제 %[1]d개", "%[1]d ⟨замечание/замечания/замечаний⟩"],
  "%[1]d ⟨line/lines⟩ fetched.": ["Se ⟨leyó/leyeron⟩ %[1]d ⟨línea/líneas⟩.", "%[1]d줄을 가져왔습니다.", "Получено: %[1]d ⟨строка/строки/строк⟩."],
  "%[1]d ⟨robot/robots⟩ in %[2]d ⟨group/groups⟩": ["%[1]d ⟨robot/robots⟩ en %[2]d ⟨grupo/grupos⟩", "로봇 %[1]d개, 그룹 %[2]d개", "%[1]d ⟨робот/робота/роботов⟩ в %[2]d ⟨группе/группах/группах⟩"],
  "%[1]s is in %[2]s": ["%[1]s está en %[2]s", "%[1]s: %[2]s에 포함됨", "%[1]s входит в %[2]s"],
  "%[1]s is in none of the %[2]d ranges": ["%[1]s no está en ninguno de los %[2]d rangos", "%[1]s: %[2]d개 범위 중 어디에도 없음", "%[1]s не входит ни в один из диапазонов (%[2]d)"],
  "A page's rules": ["Reglas de una página", "페이지 규칙", "Правила страницы"],
  "A robot by its header, in no table.": ["Un robot por su cabecera, en ninguna tabla.", "헤더로 보아 로봇이지만 목록에는 없습니다.", "Судя по заголовку, робот; в таблице его нет."],
  Address: ["Dirección", "주소", "Адрес"],
  Addresses: ["Direcciones", "주소", "Адреса"],
  After: ["Después", "이후", "После"],
  "Because of": ["Motivo", "근거", "Основание"],
  Before: ["Antes", "이전", "До"],
  Build: ["Construir", "만들기", "Составить"],
  "By name": ["Por nombre", "이름별", "По именам"],
  Checked: ["Comprobado", "확인 시점", "Проверено"],
  Claims: ["Afirmaciones", "주장", "Утверждения"],
  Close: ["Cerrar", "닫기", "Закрыть"],
  "Closed to robots for": ["Cerrado a los robots de", "다음 목적의 로봇에 닫음", "Закрыто для роботов с целью"],
  Colours: ["Colores", "색상", "Цвета"],
  Compare: ["Comparar", "비교", "Сравнить"],
  "Copy link": ["Copiar enlace", "링크 복사", "Скопировать ссылку"],
  Documentation: ["Documentación", "문서", "Документация"],
  Fetch: ["Obtener", "가져오기", "Получить"],
  "Fetching…": ["Obteniendo…", "가져오는 중…", "Получение…"],
  Findings: ["Hallazgos", "발견된 문제", "Замечания"],
  "For example": ["Por ejemplo", "예", "Например"],
  "Headers of the answer": ["Cabeceras de la respuesta", "응답 헤더", "Заголовки ответа"],
  "IP address": ["Dirección IP", "IP 주소", "IP-адрес"],
  "In no table of robots.": ["En ninguna tabla de robots.", "로봇 목록에 없습니다.", "В таблице роботов его нет."],
  "In this robots.txt": ["En este robots.txt", "이 robots.txt에서", "В этом robots.txt"],
  "It does not obey robots.txt.": ["No obedece robots.txt.", "robots.txt를 따르지 않습니다.", "Не подчиняется robots.txt."],
  "It ignores the group for all robots (*).": ["Ignora el grupo para todos los robots (*).", "모든 로봇을 위한 그룹(*)을 무시합니다.", "Не учитывает группу для всех роботов (*)."],
  "It obeys robots.txt in some cases.": ["Obedece robots.txt en algunos casos.", "일부 경우에만 robots.txt를 따릅니다.", "Подчиняется robots.txt в некоторых случаях."],
  "Its operator says that it obeys robots.txt.": ["Su operador dice que obedece robots.txt.", "운영자는 robots.txt를 따른다고 말합니다.", "По словам оператора, подчиняется robots.txt."],
  Language: ["Idioma", "언어", "Язык"],
  "Leave %[1]s open": ["Dejar %[1]s abierto", "%[1]s 열어 두기", "Оставить %[1]s открытым"],
  "Look up": ["Buscar", "찾아보기", "Найти"],
  "Name or User-Agent header": ["Nombre o cabecera User-Agent", "이름 또는 User-Agent 헤더", "Имя или заголовок User-Agent"],
  "Names with commas between them. Without names: all known robots, by the groups of robots.txt that they obey.": [
    "Nombres separados por comas. Sin nombres: todos los robots conocidos, por los grupos de robots.txt que obedecen.",
    "이름을 쉼표로 구분합니다. 비워 두면 알려진 모든 로봇을 robots.txt의 그룹별로 보여 줍니다.",
    "Имена через запятую. Без имён — все известные роботы по группам robots.txt, которым они подчиняются.",
  ],
  "No directives": ["Ninguna directiva", "지시어 없음", "Директив нет"],
  "No findings": ["Ningún hallazgo", "문제 없음", "Замечаний нет"],
  "No group is for this robot.": ["Ningún grupo es para este robot.", "이 로봇에 해당하는 그룹이 없습니다.", "Для этого робота нет группы."],
  "No known robot has this name.": ["Ningún robot conocido tiene este nombre.", "이 이름을 쓰는 알려진 로봇이 없습니다.", "Известного робота с таким именем нет."],
  "No robot": ["Ningún robot", "로봇이 아님", "Не робот"],
  "No robot gets another answer for any path: that is proven.": [
    "Ningún robot recibe otra respuesta para ninguna ruta: está demostrado.",
    "어떤 경로에서도 답이 달라지는 로봇이 없음이 증명되었습니다.",
    "Ни один робот ни для одного пути не получает другого ответа: это доказано.",
  ],
  "No robot is known to read this field.": ["No se conoce ningún robot que lea este campo.", "이 필드를 읽는 로봇은 알려져 있지 않습니다.", "Роботы, которые читают это поле, неизвестны."],
  "No robot sends this name: it says what may be done with pages that another one fetches.": [
    "Ningún robot envía este nombre: dice qué puede hacerse con las páginas que otro obtiene.",
    "이 이름을 보내는 로봇은 없습니다. 다른 로봇이 가져온 페이지를 어떻게 쓸 수 있는지 정하는 이름입니다.",
    "Это имя не отправляет ни один робот: оно говорит, что можно делать со страницами, которые получает другой.",
  ],
  Notes: ["Notas", "참고", "Примечания"],
  "Nothing that you paste leaves this machine.": ["Nada de lo que pegue sale de este equipo.", "붙여 넣은 내용은 이 컴퓨터를 벗어나지 않습니다.", "Вставленное не покидает этот компьютер."],
  "Obeys the groups of": ["Obedece los grupos de", "따르는 그룹", "Подчиняется группам"],
  "One a line, in English: GPTBot may not fetch /; ai-train may not fetch /; only Googlebot may fetch /x/; /ads.txt is open to all.": [
    "Una por línea, en inglés: GPTBot may not fetch /; ai-train may not fetch /; only Googlebot may fetch /x/; /ads.txt is open to all.",
    "한 줄에 하나씩 영어로 씁니다: GPTBot may not fetch /; ai-train may not fetch /; only Googlebot may fetch /x/; /ads.txt is open to all.",
    "По одному в строке, по-английски: GPTBot may not fetch /; ai-train may not fetch /; only Googlebot may fetch /x/; /ads.txt is open to all.",
  ],
  "One a line, such as /cart/.": ["Una por línea, como /cart/.", "한 줄에 하나씩, 예: /cart/.", "По одному в строке, например /cart/."],
  "One a line, such as X-Robots-Tag: noindex.": ["Una por línea, como X-Robots-Tag: noindex.", "한 줄에 하나씩, 예: X-Robots-Tag: noindex.", "По одному в строке, например X-Robots-Tag: noindex."],
  "One a line: paths or whole URLs.": ["Una por línea: rutas o URL completas.", "한 줄에 하나씩: 경로 또는 전체 URL.", "По одному в строке: пути или полные URL."],
  "Open…": ["Abrir…", "열기…", "Открыть…"],
  Order: ["Orden", "정렬", "Порядок"],
  "Other lines": ["Otras líneas", "그 밖의 줄", "Другие строки"],
  "Paste the list that the operator publishes; the card of the robot has its address. This page fetches nothing.": [
    "Pegue la lista que publica el operador; la ficha del robot tiene su dirección. Esta página no descarga nada.",
    "운영자가 공개한 목록을 붙여 넣으세요. 목록의 주소는 로봇 정보에 있습니다. 이 페이지는 아무것도 내려받지 않습니다.",
    "Вставьте список, который публикует оператор; его адрес — в карточке робота. Страница ничего не загружает.",
  ],
  "Paths that are closed to all": ["Rutas cerradas a todos", "모두에게 닫힌 경로", "Пути, закрытые для всех"],
  Prove: ["Demostrar", "증명", "Доказать"],
  "Proven for all paths": ["Demostrado para todas las rutas", "모든 경로에 대해 증명됨", "Доказано для всех путей"],
  Ranges: ["Rangos", "범위", "Диапазоны"],
  "Read as RFC 9309 says, by the engine of github.com/robotsexclusion/robots, which runs in this browser. A link holds its state behind the #, which browsers do not send.": [
    "Leído como dice RFC 9309 por el motor de github.com/robotsexclusion/robots, que funciona en este navegador. Un enlace lleva su estado detrás de #, que los navegadores no envían.",
    "이 브라우저에서 실행되는 github.com/robotsexclusion/robots 엔진이 RFC 9309에 따라 해석합니다. 링크의 상태는 # 뒤에 있으며 브라우저는 이를 보내지 않습니다.",
    "Читается по RFC 9309 программой github.com/robotsexclusion/robots, которая работает в этом браузере. Состояние ссылки стоит после #, эту часть браузеры не отправляют.",
  ],
  Reading: ["Lectura", "해석", "Прочтение"],
  "Readings of robots.txt differ": ["Las lecturas de robots.txt difieren", "robots.txt의 해석이 서로 다름", "Прочтения robots.txt расходятся"],
  Report: ["Informe", "보고서", "Отчёт"],
  Robot: ["Robot", "로봇", "Робот"],
  Robots: ["Robots", "로봇", "Роботы"],
  "Rules that match": ["Reglas que coinciden", "일치하는 규칙", "Подходящие правила"],
  Save: ["Guardar", "저장", "Сохранить"],
  "Save as %[1]s": ["Guardar como %[1]s", "%[1]s로 저장", "Сохранить как %[1]s"],
  See: ["Ver", "한눈에", "Обзор"],
  "Show all %[1]d groups": ["Mostrar los %[1]d grupos", "그룹 %[1]d개 모두 보기", "Показать все группы (%[1]d)"],
  Site: ["Sitio", "사이트", "Сайт"],
  "Skip to the content": ["Saltar al contenido", "본문으로 건너뛰기", "Перейти к содержанию"],
  Source: ["Código fuente", "소스", "Исходный код"],
  "Such as GPTBot, or a line of a log.": ["Como GPTBot, o una línea de un registro.", "예: GPTBot, 또는 로그의 한 줄.", "Например GPTBot или строка журнала."],
  Swap: ["Intercambiar", "맞바꾸기", "Поменять местами"],
  "Table of robots: %[1]s": ["Tabla de robots: %[1]s", "로봇 목록: %[1]s", "Таблица роботов: %[1]s"],
  "This page cannot fetch %[1]s: it needs %[2]s.": ["Esta página no puede obtener %[1]s: necesita %[2]s.", "이 페이지는 %[1]s을(를) 가져올 수 없습니다. %[2]s이(가) 필요합니다.", "Эта страница не может получить %[1]s: нужна команда %[2]s."],
  "A browser: a person, or a robot that poses as one.": ["Un navegador: una persona, o un robot que se hace pasar por una.", "브라우저입니다. 사람이거나, 사람인 척하는 로봇입니다.", "Браузер: человек или робот, который за него себя выдаёт."],
  "Google and Bing read 500 KiB: line %[1]d and all after it are lost to them.": ["Google y Bing leen 500 KiB: no ven la línea %[1]d ni lo que sigue.", "Google과 Bing은 500 KiB까지 읽으므로 %[1]d행부터는 보지 못합니다.", "Google и Bing читают 500 КиБ: строку %[1]d и всё после неё они не видят."],
  "Paste the ranges of an operator too: then the page says whether the address is in them.": ["Pegue también los rangos de un operador: así la página dice si la dirección está en ellos.", "운영자의 주소 범위도 붙여 넣으면 이 주소가 포함되는지 알려 줍니다.", "Вставьте и диапазоны оператора: тогда страница скажет, входит ли в них адрес."],
  "Robots with such a name:": ["Robots con un nombre así:", "이름이 비슷한 로봇:", "Роботы с похожим именем:"],
  "The folder has no files.": ["La carpeta no tiene archivos.", "폴더에 파일이 없습니다.", "В папке нет файлов."],
  "The robots.txt has bytes that are not UTF-8, which this view cannot read: robots audit can.": ["El robots.txt tiene bytes que no son UTF-8, y esta vista no puede leerlos: robots audit sí puede.", "robots.txt에 UTF-8이 아닌 바이트가 있어 여기서는 읽을 수 없습니다. robots audit 명령은 읽을 수 있습니다.", "В robots.txt есть байты не в UTF-8; здесь они не читаются, а команда robots audit их читает."],
  "The robots.txt has bytes that are not UTF-8: write them as %XX first, or they would be lost.": ["El robots.txt tiene bytes que no son UTF-8: escríbalos antes como %XX, o se perderían.", "robots.txt에 UTF-8이 아닌 바이트가 있습니다. 잃지 않으려면 먼저 %XX로 쓰세요.", "В robots.txt есть байты не в UTF-8: сначала запишите их как %XX, иначе они пропадут."],
  "The robots.txt in the editor is the example of this page. Write, paste or open that of the site: these logs wait for it.": ["El robots.txt del editor es el ejemplo de esta página. Escriba, pegue o abra el del sitio: estos registros lo esperan.", "편집기의 robots.txt는 이 페이지의 예시입니다. 사이트의 파일을 쓰거나 붙여 넣거나 여세요. 로그는 그때까지 기다립니다.", "В редакторе пример этой страницы. Напишите, вставьте или откройте robots.txt сайта: журналы его ждут."],
  "Audit them": ["Auditarlos", "감사하기", "Проверить их"],
  "This closes the site to search: %[1]s. People will not find its pages there any more.": ["Esto cierra el sitio a los buscadores: %[1]s. La gente ya no encontrará allí sus páginas.", "검색에 사이트를 닫습니다: %[1]s. 사람들이 그곳에서 이 사이트의 페이지를 찾지 못하게 됩니다.", "Это закрывает сайт для поиска: %[1]s. Люди больше не найдут там его страницы."],
  Test: ["Probar", "테스트", "Проверить"],
  "The browser does not let the page copy. The link is in the address bar.": [
    "El navegador no permite copiar. El enlace está en la barra de direcciones.",
    "브라우저가 복사를 허용하지 않습니다. 링크는 주소 표시줄에 있습니다.",
    "Браузер не разрешает копировать. Ссылка в адресной строке.",
  ],
  "The engine could not be loaded: %[1]s": ["No se pudo cargar el motor: %[1]s", "엔진을 불러올 수 없습니다: %[1]s", "Не удалось загрузить программу: %[1]s"],
  "The file has more than 2 MiB. Robots read 500 KiB.": ["El archivo tiene más de 2 MiB. Los robots leen 500 KiB.", "파일이 2MiB보다 큽니다. 로봇은 500KiB까지 읽습니다.", "Файл больше 2 МиБ. Роботы читают 500 КиБ."],
  "The link could not be read: it is cut, or not of this page. This is the example.": [
    "No se pudo leer el enlace: está cortado o no es de esta página. Este es el ejemplo.",
    "링크를 읽을 수 없습니다. 잘렸거나 이 페이지의 링크가 아닙니다. 예시를 보여 줍니다.",
    "Ссылку прочитать не удалось: она обрезана или не от этой страницы. Показан пример.",
  ],
  "The link is copied. It holds all that you see; it is sent to nobody.": [
    "El enlace está copiado. Contiene todo lo que ve; no se envía a nadie.",
    "링크를 복사했습니다. 보이는 내용이 모두 들어 있으며 누구에게도 전송되지 않습니다.",
    "Ссылка скопирована. В ней всё, что вы видите; она никому не отправляется.",
  ],
  "The new robots.txt": ["El nuevo robots.txt", "새 robots.txt", "Новый robots.txt"],
  "The new robots.txt is in the editor.": ["El nuevo robots.txt está en el editor.", "새 robots.txt가 편집기에 있습니다.", "Новый robots.txt в редакторе."],
  "The proof took too many cases: there may be more changes.": [
    "La demostración tenía demasiados casos: puede haber más cambios.",
    "경우의 수가 너무 많아 증명을 끝내지 못했습니다. 변경이 더 있을 수 있습니다.",
    "Доказательство потребовало слишком много случаев: изменений может быть больше.",
  ],
  "The robot obeys the group of %[1]s.": ["El robot obedece al grupo de %[1]s.", "로봇이 따르는 그룹: %[1]s", "Робот подчиняется группе %[1]s."],
  "The site has no robots.txt (%[1]s).": ["El sitio no tiene robots.txt (%[1]s).", "사이트에 robots.txt가 없습니다(%[1]s).", "На сайте нет robots.txt (%[1]s)."],
  "The text is too long for a link.": ["El texto es demasiado largo para un enlace.", "텍스트가 너무 길어 링크에 담을 수 없습니다.", "Текст слишком длинный для ссылки."],
  "Use it": ["Usarlo", "사용하기", "Использовать"],
  Verdict: ["Veredicto", "판정", "Ответ"],
  Verdicts: ["Veredictos", "판정", "Ответы"],
  Views: ["Vistas", "보기", "Разделы"],
  "What it is told": ["Lo que se le dice", "로봇에 전하는 내용", "Что ему сказано"],
  "What this robots.txt says to %[1]d known robots": ["Qué dice este robots.txt a %[1]d robots conocidos", "이 robots.txt가 알려진 로봇 %[1]d개에 전하는 내용", "Что этот robots.txt говорит известным роботам (%[1]d)"],
  "Why?": ["¿Por qué?", "이유", "Почему?"],
  added: ["añadido", "추가됨", "добавлено"],
  "all known robots": ["todos los robots conocidos", "알려진 모든 로봇", "все известные роботы"],
  "all others": ["los demás", "그 외 모두", "все остальные"],
  "all robots that no group names": ["todos los robots que ningún grupo nombra", "어떤 그룹에도 이름이 없는 모든 로봇", "все роботы, которых не называет ни одна группа"],
  "and %[1]d more": ["y %[1]d más", "그 외 %[1]d개", "и ещё %[1]d"],
  "any other robot": ["cualquier otro robot", "그 밖의 로봇", "любой другой робот"],
  "any robot": ["cualquier robot", "모든 로봇", "любой робот"],
  "Colours: auto": ["Colores: auto", "색상: 자동", "Цвета: авто"],
  "by operator": ["por operador", "운영자별", "по операторам"],
  "by purpose": ["por propósito", "목적별", "по целям"],
  closed: ["cerrado", "닫힘", "закрыто"],
  dark: ["oscuro", "어둡게", "тёмные"],
  "does not hold": ["no se cumple", "성립하지 않음", "неверно"],
  error: ["error", "오류", "ошибка"],
  "for %[1]s": ["para %[1]s", "대상: %[1]s", "для %[1]s"],
  "for these: all others": ["los demás", "그 외 모두", "всех остальных"],
  holds: ["se cumple", "성립함", "верно"],
  info: ["información", "정보", "сведение"],
  light: ["claro", "밝게", "светлые"],
  "line %[1]d": ["línea %[1]d", "%[1]d행", "строка %[1]d"],
  "may fetch /": ["puede obtener /", "/ 허용", "может получать /"],
  "may not fetch /": ["no puede obtener /", "/ 차단", "не может получать /"],
  "now closed for %[1]s": ["ahora cerrado para %[1]s", "이제 닫힘: %[1]s", "теперь закрыто для %[1]s"],
  "now open for %[1]s": ["ahora abierto para %[1]s", "이제 열림: %[1]s", "теперь открыто для %[1]s"],
  "no URL": ["no es URL", "URL 아님", "не URL"],
  open: ["abierto", "열림", "открыто"],
  others: ["otros", "기타", "прочие"],
  "partly open": ["abierto en parte", "일부 열림", "открыто частично"],
  removed: ["eliminado", "제거됨", "удалено"],
  "robots.txt after": ["robots.txt después", "이후 robots.txt", "robots.txt после"],
  "robots.txt before": ["robots.txt antes", "이전 robots.txt", "robots.txt до"],
  "robots.txt workbench": ["Banco de trabajo de robots.txt", "robots.txt 작업대", "Мастерская robots.txt"],
  "the file": ["el archivo", "파일 전체", "весь файл"],
  undecided: ["sin decidir", "미정", "не решено"],
  warning: ["advertencia", "경고", "предупреждение"],

  // Audit
  ...auditTexts,
  "asks nothing: see the findings": ["no pide nada: véanse los hallazgos", "요구하는 바 없음: 발견된 문제를 보세요", "ничего не требует: см. замечания"],

  "A site's robots.txt tells robots, such as those of search engines and of AI companies, what they may fetch. Write, paste or open yours: this page shows which robots may fetch which address and why, finds mistakes, and proves what a change does.": [
    "El robots.txt de un sitio dice a los robots, como los de los buscadores y los de las empresas de IA, qué pueden obtener. Escriba, pegue o abra el suyo: esta página muestra qué robots pueden obtener cada dirección y por qué, encuentra errores y demuestra qué cambia con una modificación.",
    "사이트의 robots.txt는 검색 엔진이나 AI 기업의 로봇 등에게 무엇을 가져가도 되는지 알려 줍니다. 직접 쓰거나 붙여 넣거나 파일을 여세요. 어떤 로봇이 어떤 주소를 가져갈 수 있고 왜 그런지 보여 주고, 잘못된 곳을 찾고, 변경으로 무엇이 달라지는지 증명합니다.",
    "Файл robots.txt сайта говорит роботам, например поисковых систем и компаний ИИ, что им можно получать. Напишите, вставьте или откройте свой: страница покажет, какие роботы могут получать какой адрес и почему, найдёт ошибки и докажет, что меняет правка.",
  ],

  // Compare: the time line.
  "%[1]d ⟨file/files⟩": ["%[1]d ⟨archivo/archivos⟩", "파일 %[1]d개", "%[1]d ⟨файл/файла/файлов⟩"],
  "%[1]d ⟨version/versions⟩, %[2]d ⟨change/changes⟩ of meaning.": ["%[1]d ⟨versión/versiones⟩, %[2]d ⟨cambio/cambios⟩ de significado.", "버전 %[1]d개, 의미가 바뀐 경우 %[2]d건.", "%[1]d ⟨версия/версии/версий⟩, %[2]d ⟨изменение/изменения/изменений⟩ смысла."],
  "%[1]d other ⟨robot/robots⟩": ["%[1]d ⟨robot más/robots más⟩", "다른 로봇 %[1]d개", "ещё %[1]d ⟨робота/роботов/роботов⟩"],
  "Comparing version %[1]d of %[2]d…": ["Comparando la versión %[1]d de %[2]d…", "버전 비교 중: %[1]d / %[2]d…", "Сравнение: версия %[1]d из %[2]d…"],
  "Each point is a version that changes an answer for some robot and path: that is proven. Several files at once are versions in the order of their names.": [
    "Cada punto es una versión que cambia una respuesta para algún robot y ruta: está demostrado. Varios archivos a la vez son versiones en el orden de sus nombres.",
    "각 점은 어떤 로봇과 경로의 판정을 바꾸는 버전이며, 이는 증명된 것입니다. 파일 여러 개를 한꺼번에 열면 이름순의 버전으로 봅니다.",
    "Каждая точка — версия, которая меняет ответ для какого-либо робота и пути: это доказано. Несколько файлов сразу — версии в порядке их имён.",
  ],
  "No robot gets another answer.": ["Ningún robot recibe otra respuesta.", "판정이 바뀌는 로봇이 없습니다.", "Ни один робот не получает другого ответа."],
  "No robots.txt (%[1]s): open to all.": ["Sin robots.txt (%[1]s): abierto a todos.", "robots.txt 없음(%[1]s): 모두에게 열림.", "Нет robots.txt (%[1]s): открыто для всех."],
  "Open versions…": ["Abrir versiones…", "여러 버전 열기…", "Открыть версии…"],
  "Show this change": ["Mostrar este cambio", "이 변경 보기", "Показать это изменение"],
  "Show time line": ["Mostrar la cronología", "변경 이력 보기", "Показать историю"],
  Stop: ["Detener", "중지", "Остановить"],
  "The first version here.": ["La primera versión de esta lista.", "이 목록의 첫 버전.", "Первая версия в этом списке."],
  "The service has not fetched %[1]s yet.": ["El servicio aún no ha obtenido %[1]s.", "서비스가 아직 %[1]s에서 가져온 적이 없습니다.", "Сервис ещё не обращался к %[1]s."],
  "The text is no longer there.": ["El texto ya no existe.", "텍스트가 더 이상 없습니다.", "Текста больше нет."],
  "There are earlier versions, which are not shown.": ["Hay versiones anteriores que no se muestran.", "이보다 이전의 버전은 표시하지 않습니다.", "Более ранние версии не показаны."],
  "This service keeps no history: it needs the option --cache FOLDER.": ["Este servicio no guarda versiones: necesita la opción --cache FOLDER.", "이 서비스는 이력을 저장하지 않습니다. --cache FOLDER 옵션이 필요합니다.", "Этот сервис не хранит историю: нужен параметр --cache FOLDER."],
  "Time line": ["Cronología", "변경 이력", "История"],
  "Unreachable (%[1]s): closed to all.": ["Inaccesible (%[1]s): cerrado a todos.", "접속 불가(%[1]s): 모두에게 닫힘.", "Недоступен (%[1]s): закрыто для всех."],
  "Unreachable (%[1]s): the last text stays in force.": ["Inaccesible (%[1]s): sigue vigente el último texto.", "접속 불가(%[1]s): 마지막 텍스트가 계속 적용됨.", "Недоступен (%[1]s): действует последний текст."],
  "no answer": ["sin respuesta", "응답 없음", "нет ответа"],
  "such as": ["por ejemplo", "예:", "например"],
  "then %[1]d ⟨version/versions⟩ with the same meaning": ["después, %[1]d ⟨versión/versiones⟩ con el mismo significado", "이후 의미가 같은 버전 %[1]d개", "затем %[1]d ⟨версия/версии/версий⟩ с тем же смыслом"],

  // Test: search engines, and the line under the addresses.
  "A number is the line that decides; a click on a cell says why.": ["El número es la línea que decide; un clic en una celda explica por qué.", "숫자는 판정을 정하는 줄 번호이며, 칸을 누르면 이유가 나옵니다.", "Число — номер решающей строки; щелчок по ячейке покажет, почему."],
  "%[1]s runs this robot: its verdict is the one that counts.": ["%[1]s opera este robot: su veredicto es el que cuenta.", "%[1]s의 로봇이므로 이 판정이 적용됩니다.", "Этот робот принадлежит %[1]s: действует этот ответ."],
  "Other search engines (%[1]s) answer as RFC 9309 does.": ["Otros buscadores (%[1]s) responden como RFC 9309.", "다른 검색 엔진(%[1]s)의 판정은 RFC 9309와 같습니다.", "Другие поисковые системы (%[1]s) отвечают так же, как RFC 9309."],
  "engine weight": ["cuenta los caracteres de una regla sin * ni $", "*와 $를 뺀 규칙의 길이를 비교함", "считает длину правила без * и $"],
  "engine empty": ["lee Disallow sin ruta como Allow: /", "경로 없는 Disallow를 Allow: /로 읽음", "читает Disallow без пути как Allow: /"],
  "engine names": ["una línea entre dos User-agent termina el grupo anterior", "User-agent 사이의 줄에서 앞 그룹이 끝남", "строка между двумя User-agent завершает группу перед ней"],
  "engine size": ["no lee ninguna regla en un archivo de más de 500 KiB", "500KiB가 넘는 파일에서는 규칙을 읽지 않음", "не читает правил в файле больше 500 КиБ"],

  "purpose search": ["búsqueda", "검색", "поиск"],
  "purpose ai-train": ["entrenamiento de IA", "AI 학습", "обучение ИИ"],
  "purpose ai-search": ["búsqueda con IA", "AI 검색", "поиск с ИИ"],
  "purpose ai-user": ["asistentes de IA", "AI 어시스턴트", "ИИ-ассистенты"],
  "purpose preview": ["vistas previas", "미리보기", "превью ссылок"],
  "purpose ads": ["publicidad", "광고", "реклама"],
  "purpose seo": ["SEO", "SEO", "SEO"],
  "purpose monitor": ["monitorización", "모니터링", "мониторинг"],
  "purpose archive": ["archivado web", "보존", "архивы"],
  "purpose research": ["investigación", "연구", "исследования"],
  "purpose feed": ["fuentes RSS", "피드", "ленты"],
  "purpose security": ["seguridad", "보안", "безопасность"],
  "purpose shopping": ["compras", "쇼핑", "покупки"],
  "purpose social": ["redes sociales", "소셜", "соцсети"],
  "purpose tool": ["herramientas", "도구", "инструменты"],
  "purpose other": ["otros", "기타", "прочее"],

  "reason no-group": ["ningún grupo es para este robot", "이 로봇에 해당하는 그룹이 없음", "нет группы для этого робота"],
  "reason no-rule": ["ninguna regla del grupo coincide", "그룹에 일치하는 규칙이 없음", "ни одно правило группы не подходит"],
  "reason robots-file": ["/robots.txt siempre está abierto", "/robots.txt 자체는 언제나 허용됨", "сам /robots.txt разрешён всегда"],

  "outcome decides": ["decide", "적용됨", "решает"],
  "%[1]d ⟨byte/bytes⟩, shorter than the %[2]d of line %[3]d": ["%[1]d ⟨byte/bytes⟩, menos que los %[2]d de la línea %[3]d", "%[1]d바이트로, %[3]d행의 %[2]d바이트보다 짧음", "%[1]d ⟨байт/байта/байт⟩, короче, чем %[2]d в строке %[3]d"],
  "as long as line %[1]d, and allow wins": ["tan larga como la línea %[1]d, y gana Allow", "%[1]d행과 길이가 같고, Allow가 우선함", "той же длины, что и строка %[1]d, а Allow побеждает"],
  "says the same as line %[1]d": ["dice lo mismo que la línea %[1]d", "%[1]d행과 같은 내용", "говорит то же, что и строка %[1]d"],
  "comes after line %[1]d": ["va después de la línea %[1]d", "%[1]d행보다 뒤에 있음", "стоит после строки %[1]d"],

  "Ask": [
    "Preguntar",
    "묻기",
    "Спросить",
  ],
  "May robots fetch this page?": [
    "¿Pueden los robots obtener esta página?",
    "로봇이 이 페이지를 가져갈 수 있나요?",
    "Могут ли роботы получать эту страницу?",
  ],
  "May robots fetch %[1]s?": [
    "¿Pueden los robots obtener %[1]s?",
    "로봇이 %[1]s 주소를 가져갈 수 있나요?",
    "Могут ли роботы получать %[1]s?",
  ],
  "This is by the robots.txt in the editor, which is from %[1]s.": [
    "Según el robots.txt del editor, que es de %[1]s.",
    "편집기에 있는 robots.txt(출처: %[1]s)에 따른 답입니다.",
    "По robots.txt в редакторе, который взят с %[1]s.",
  ],
  "This is by the robots.txt in the editor.": [
    "Según el robots.txt del editor.",
    "편집기에 있는 robots.txt에 따른 답입니다.",
    "По robots.txt в редакторе.",
  ],
  "All robots": [
    "Todos los robots",
    "모든 로봇",
    "Все роботы",
  ],
  "The text is in the editor.": [
    "El texto está en el editor.",
    "텍스트를 편집기에 넣었습니다.",
    "Текст в редакторе.",
  ],
  "A page, a path, or the text of a robots.txt. This page cannot fetch: paste or open the robots.txt of the site.": [
    "Una página, una ruta o el texto de un robots.txt. Esta página no puede obtener sitios: pegue o abra el robots.txt del sitio.",
    "페이지, 경로 또는 robots.txt 텍스트를 넣으세요. 이 페이지는 사이트에서 가져올 수 없으니, 사이트의 robots.txt를 붙여 넣거나 여세요.",
    "Страница, путь или текст robots.txt. Эта страница не загружает сайты: вставьте или откройте robots.txt сайта.",
  ],
  "A page, a site, a path, or the text of a robots.txt. The robots.txt of the site is fetched.": [
    "Una página, un sitio, una ruta o el texto de un robots.txt. El robots.txt del sitio se obtiene.",
    "페이지, 사이트, 경로 또는 robots.txt 텍스트를 넣으세요. 사이트의 robots.txt를 가져옵니다.",
    "Страница, сайт, путь или текст robots.txt. Файл robots.txt сайта загружается.",
  ],
  "All other robots may fetch it.": [
    "Todos los demás robots pueden obtenerla.",
    "그 외 모든 로봇은 가져갈 수 있습니다.",
    "Все остальные роботы могут её получать.",
  ],
  "All other robots may not fetch it.": [
    "Los demás robots no pueden obtenerla.",
    "그 외 모든 로봇은 가져갈 수 없습니다.",
    "Все остальные роботы не могут её получать.",
  ],
  "%[1]s may use it for: %[2]s (%[3]s).": [
    "%[1]s puede usarla para: %[2]s (%[3]s).",
    "%[1]s에서 사용할 수 있습니다: %[2]s (%[3]s).",
    "%[1]s может её использовать: %[2]s (%[3]s).",
  ],
  "%[1]s may not use it for: %[2]s (%[3]s).": [
    "%[1]s no puede usarla para: %[2]s (%[3]s).",
    "%[1]s에서 사용할 수 없습니다: %[2]s (%[3]s).",
    "%[1]s не может её использовать: %[2]s (%[3]s).",
  ],
  "%[1]s may fetch it.": [
    "%[1]s puede obtenerla.",
    "%[1]s: 가져갈 수 있습니다.",
    "%[1]s может её получать.",
  ],
  "%[1]s may not fetch it.": [
    "%[1]s no puede obtenerla.",
    "%[1]s: 가져갈 수 없습니다.",
    "%[1]s не может её получать.",
  ],
  "Next": [
    "A continuación",
    "다음",
    "Дальше",
  ],
  "Choose what it says, and see what that costs": [
    "Elegir lo que dice, y ver lo que cuesta",
    "내용을 고르고 그 대가 보기",
    "Выбрать, что он говорит, и увидеть цену",
  ],
  "choose a server": [
    "elija un servidor",
    "서버 선택",
    "выберите сервер",
  ],
  "And then": [
    "Y después",
    "그다음",
    "А затем",
  ],
  "Save the file, and put it at %[1]s.": [
    "Guarde el archivo y póngalo en %[1]s.",
    "파일을 저장해 %[1]s에 두세요.",
    "Сохраните файл и разместите его по адресу %[1]s.",
  ],
  "Or let the server refuse robots that do not obey": [
    "O haga que el servidor rechace a los robots que no obedecen",
    "또는 지키지 않는 로봇을 서버가 거부하게 하기",
    "Или пусть сервер отказывает роботам, которые не слушаются",
  ],
  "The server answers 403 to robots that name themselves and fetch what the file closes. People are not refused.": [
    "El servidor responde 403 a los robots que dicen su nombre y piden lo que el archivo cierra. A las personas no se les rechaza.",
    "이름을 밝히고 파일이 막은 것을 가져가려는 로봇에게 서버가 403으로 답합니다. 사람은 거부하지 않습니다.",
    "Сервер отвечает 403 роботам, которые называют себя и берут то, что файл закрывает. Людям он не отказывает.",
  ],
  "Save %[1]s": [
    "Guardar %[1]s",
    "%[1]s 저장",
    "Сохранить %[1]s",
  ],
  "Add to the configuration of the server": [
    "Añada a la configuración del servidor",
    "서버 설정에 추가하세요",
    "Добавьте в конфигурацию сервера",
  ],
  "Then watch it: you hear of it if the file changes, fails or closes the site.": [
    "Después vigílelo: se entera si el archivo cambia, falla o cierra el sitio.",
    "그다음 지켜보세요. 파일이 바뀌거나 실패하거나 사이트를 막으면 알려 줍니다.",
    "Затем следите за ним: вы узнаете, если файл изменится, пропадёт или закроет сайт.",
  ],
  "These robots read pages for search too, and will not any more: %[1]s.": [
    "Estos robots leen páginas también para búsqueda, y dejarán de hacerlo: %[1]s.",
    "이 로봇들은 검색을 위해서도 페이지를 읽으며, 이제 읽지 않게 됩니다: %[1]s.",
    "Эти роботы читают страницы и для поиска и перестанут: %[1]s.",
  ],
  "%[1]s may not fetch %[2]s": [
    "%[1]s: no puede obtener %[2]s",
    "%[1]s: %[2]s 차단",
    "%[1]s: нельзя получать %[2]s",
  ],
  "%[1]s may fetch %[2]s": [
    "%[1]s: puede obtener %[2]s",
    "%[1]s: %[2]s 허용",
    "%[1]s: можно получать %[2]s",
  ],
  "No line closes it.": [
    "Ninguna línea la cierra.",
    "막는 줄이 없습니다.",
    "Ни одна строка её не закрывает.",
  ],
  "Address at %[1]s": [
    "Dirección en %[1]s",
    "%[1]s의 주소",
    "Адрес на %[1]s",
  ],
  "line of %[1]s": [
    "línea de %[1]s",
    "%[1]s 판정의 줄",
    "строка для %[1]s",
  ],
  "The readings of robots.txt agree": [
    "Las lecturas de robots.txt coinciden",
    "robots.txt를 읽는 방식이 모두 일치합니다",
    "Прочтения robots.txt совпадают",
  ],
  "Readings before RFC 9309": [
    "Lecturas anteriores a RFC 9309",
    "RFC 9309 이전의 읽는 방식",
    "Прочтения до RFC 9309",
  ],
  "%[1]s, changed": [
    "%[1]s, modificado",
    "%[1]s, 수정됨",
    "%[1]s, изменён",
  ],
  "Help": [
    "Ayuda",
    "도움말",
    "Справка",
  ],
  "An example: write or paste your robots.txt here.": [
    "Un ejemplo: escriba o pegue aquí su robots.txt.",
    "예시입니다. 여기에 robots.txt를 쓰거나 붙여 넣으세요.",
    "Пример: напишите или вставьте сюда свой robots.txt.",
  ],
  // Build
  ...buildTexts,
  // Watch
  ...watchTexts,
  // Crawl
  ...crawlTexts,
} as const satisfies Record<string, readonly [string, string, string]>;

export type TextName = keyof typeof texts;

// english has the English form of texts that go by another name.
const english: Partial<Record<TextName, string>> = {
  "purpose search": "search",
  "purpose ai-train": "AI training",
  "purpose ai-search": "AI search",
  "purpose ai-user": "AI assistants",
  "purpose preview": "link previews",
  "purpose ads": "advertising",
  "purpose seo": "SEO",
  "purpose monitor": "monitoring",
  "purpose archive": "archives",
  "purpose research": "research",
  "purpose feed": "feeds",
  "purpose security": "security",
  "purpose shopping": "shopping",
  "purpose social": "social networks",
  "purpose tool": "tools",
  "purpose other": "other",
  "reason no-group": "no group is for this robot",
  "reason no-rule": "no rule of the group matches",
  "reason robots-file": "/robots.txt itself is always open",
  "outcome decides": "decides",
  "for these: all others": "all others",
  ...watchEnglish,
  ...crawlEnglish,
  "engine weight": "counts the length of a rule without * and $",
  "engine empty": "takes Disallow without a path for Allow: /",
  "engine names": "a line between two User-agent lines ends the group before it",
  "engine size": "reads no rules in a file of more than 500 KiB",
};

let language: Language = "en";
let plain = new Intl.NumberFormat("en");
let plural = new Intl.PluralRules("en");

/** Chooses the language of all texts from now on. */
export function speak(l: Language): void {
  language = l;
  plain = new Intl.NumberFormat(l, { useGrouping: "min2" });
  plural = new Intl.PluralRules(l);
}

/** Returns a number as people write it. */
export function number(n: number): string {
  return plain.format(n);
}

/** Returns a text in the chosen language, with its arguments in the places of %[1]d and %[1]s. */
export function t(name: TextName, ...args: (string | number)[]): string {
  const at = languages.indexOf(language) - 1;
  const text = at < 0 ? (english[name] ?? name) : (texts[name][at] ?? name);
  let last = 0; // the number on which a choice of words depends
  for (const m of text.matchAll(/%\[(\d)\]d/g)) {
    last = Number(args[Number(m[1]) - 1]);
    break;
  }
  return text.replace(/%\[(\d)\][ds]|⟨([^⟩]*)⟩/g, (_, index?: string, words?: string) => {
    if (words !== undefined) return choice(words.split("/"), last);
    const arg = args[Number(index) - 1];
    if (typeof arg !== "number") return arg ?? "";
    last = arg;
    return number(arg);
  });
}

// choice returns the word for a number: one or many, and in Russian one, few or many.
function choice(words: string[], n: number): string {
  const category = plural.select(n);
  const at = words.length === 3 ? (category === "one" ? 0 : category === "few" ? 1 : 2) : category === "one" ? 0 : 1;
  return words[at] ?? words[words.length - 1] ?? "";
}

/** Returns the text of a word of a server, such as a state. A word of a later version stands as it is. */
export function nameOf(kind: "state" | "step" | "wait" | "left" | "worker", word: string): string {
  const name = `${kind} ${word}`;
  return Object.hasOwn(texts, name) ? t(name as TextName) : word;
}

/** Returns why a verdict is as it is, where no rule decides. */
export function reasonOf(reason: string): string {
  const name = `reason ${reason}`;
  return Object.hasOwn(texts, name) ? t(name as TextName) : reason;
}

// outcomes are the forms of the engine's English sentences about rules that match.
const outcomes: [RegExp, TextName][] = [
  [/^decides$/, "outcome decides"],
  [/^(\d+) bytes?, shorter than the (\d+) of line (\d+)$/, "%[1]d ⟨byte/bytes⟩, shorter than the %[2]d of line %[3]d"],
  [/^as long as line (\d+), and allow wins$/, "as long as line %[1]d, and allow wins"],
  [/^says the same as line (\d+)$/, "says the same as line %[1]d"],
  [/^comes after line (\d+)$/, "comes after line %[1]d"],
];

/** Returns why a rule decides or loses. */
export function outcomeOf(outcome: string): string {
  for (const [form, name] of outcomes) {
    const found = form.exec(outcome);
    if (found) return t(name, ...found.slice(1).map(Number));
  }
  return outcome;
}
