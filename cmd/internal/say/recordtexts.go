package say

import "github.com/robotsexclusion/robots/internal/language"

// The texts in all languages; package language documents the placeholders. Values are made safe
// to show before they are inserted.
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
