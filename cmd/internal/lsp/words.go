package lsp

import (
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/lint"
)

// A wording is a message in the languages of package language, in the order of their constants.
type wording [language.Russian + 1]string

// in returns the message in a language of [lint.Options].
func (w *wording) in(locale string) string { return w[language.Parse(locale)] }

var (
	andMore = wording{
		" (and %d more)",
		" (y %d más)",
		" (외 %d건)",
		" (и ещё %d)",
	}
	textTooLarge = wording{
		"the file is larger than %d MiB and is not looked at: robots read 500 KiB of it at most; when it is smaller, close it and open it again",
		"el archivo supera %d MiB y no se examina: los robots leen de él 500 KiB a lo sumo; cuando sea menor, ciérrelo y ábralo de nuevo",
		"파일이 %d MiB보다 커서 검사하지 않습니다. 로봇은 최대 500 KiB까지만 읽습니다. 크기를 줄인 다음 닫았다가 다시 여십시오",
		"файл больше %d МиБ и не проверяется: роботы читают из него не более 500 КиБ; когда он станет меньше, закройте его и откройте снова",
	}
	textOutOfStep = wording{
		"a change of this file was lost, so it is not looked at: close it and open it again",
		"se perdió un cambio de este archivo, así que no se examina: ciérrelo y ábralo de nuevo",
		"이 파일의 변경 사항 하나를 잃어버려 검사하지 않습니다. 닫았다가 다시 여십시오",
		"одно из изменений этого файла потеряно, поэтому он не проверяется: закройте его и откройте снова",
	}

	// The effects of fixes on answers.
	effects = map[lint.Effect]*wording{
		lint.Keeps:  {"no answer changes", "ninguna respuesta cambia", "답이 바뀌지 않음", "ответы не меняются"},
		lint.Closes: {"may close paths", "puede cerrar rutas", "경로가 닫힐 수 있음", "может закрыть пути"},
		lint.Opens:  {"may open paths", "puede abrir rutas", "경로가 열릴 수 있음", "может открыть пути"},
		lint.Changes: {"may close and open paths", "puede cerrar y abrir rutas", "경로가 닫히거나 열릴 수 있음",
			"может закрыть и открыть пути"},
	}
	titleFixAll = wording{
		"make all safe fixes",
		"hacer todos los arreglos seguros",
		"안전한 수정을 모두 적용합니다",
		"сделать все безопасные исправления",
	}
	titleIgnore = wording{
		"ignore %s here",
		"ignorar %s aquí",
		"여기서 %s 무시",
		"не замечать %s здесь",
	}
	titleIgnoreFile = wording{
		"ignore %s in this file",
		"ignorar %s en este archivo",
		"이 파일에서 %s 무시",
		"не замечать %s в этом файле",
	}
	// placeholder is the placeholder of the reason in an ignore comment.
	placeholder = wording{
		"(say why)",
		"(diga por qué)",
		"(이유를 쓰십시오)",
		"(напишите почему)",
	}

	// The texts of lenses.
	lensRobot = wording{
		"for %d known robot%s",
		"para %d robot conocido%s",
		"알려진 로봇 %d개에 적용%s",
		"для известных роботов (%d)%s",
	}
	lensRobots = wording{
		"for %d known robots%s",
		"para %d robots conocidos%s",
		"알려진 로봇 %d개에 적용%s",
		"для известных роботов (%d)%s",
	}
	lensClosedToOne = wording{
		"closes the site to %d known robot%s",
		"cierra el sitio a %d robot conocido%s",
		"알려진 로봇 %d개에 사이트를 닫음%s",
		"закрывает сайт для известных роботов (%d)%s",
	}
	lensClosed = wording{
		"closes the site to %d known robots%s",
		"cierra el sitio a %d robots conocidos%s",
		"알려진 로봇 %d개에 사이트를 닫음%s",
		"закрывает сайт для известных роботов (%d)%s",
	}
	lensNone = wording{
		"for no known robot",
		"para ningún robot conocido",
		"알려진 어느 로봇에도 적용되지 않음",
		"ни для одного известного робота",
	}
	lensClosedToNone = wording{
		"closes the site, but to no known robot",
		"cierra el sitio, pero a ningún robot conocido",
		"사이트를 닫지만 알려진 어느 로봇에도 적용되지 않음",
		"закрывает сайт, но ни для одного известного робота",
	}
	lensNever = wording{
		"never decides: line %d does",
		"nunca decide: decide la línea %d",
		"적용되는 일이 없음: %d번째 줄이 우선함",
		"никогда не решает: решает строка %d",
	}
	lensShadowed = wording{
		"says nothing new: line %d closes these paths, too",
		"no aporta nada: la línea %d también cierra estas rutas",
		"새로운 내용이 없음: %d번째 줄도 이 경로를 닫음",
		"ничего не добавляет: строка %d тоже закрывает эти пути",
	}
	lensOpened = wording{
		"says nothing new: line %d opens these paths, too",
		"no aporta nada: la línea %d también abre estas rutas",
		"새로운 내용이 없음: %d번째 줄도 이 경로를 엶",
		"ничего не добавляет: строка %d тоже открывает эти пути",
	}
	lensIdle = wording{
		"says nothing new: without it no answer changes",
		"no aporta nada: sin ella no cambia ninguna respuesta",
		"새로운 내용이 없음: 이 규칙이 없어도 답이 바뀌지 않음",
		"ничего не добавляет: без него ответы те же",
	}
)
