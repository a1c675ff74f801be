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
		lint.Keeps:   {"no answer changes", "ninguna respuesta cambia", "답이 바뀌지 않음", "ответы не меняются"},
		lint.Closes:  {"may close paths", "puede cerrar rutas", "경로가 닫힐 수 있음", "может закрыть пути"},
		lint.Opens:   {"may open paths", "puede abrir rutas", "경로가 열릴 수 있음", "может открыть пути"},
		lint.Changes: {"may close and open paths", "puede cerrar y abrir rutas", "경로가 닫히거나 열릴 수 있음", "может закрыть и открыть пути"},
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
	// placeholder stands for the reason in an ignore comment.
	placeholder = wording{
		"(say why)",
		"(diga por qué)",
		"(이유를 쓰십시오)",
		"(напишите почему)",
	}
)
