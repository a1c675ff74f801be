package main

import "github.com/robotsexclusion/robots/internal/language"

// The answers of verbs to people, in all languages; package language documents the
// placeholders in the texts. Values are made safe to show before they are inserted.

// Unknown names, and texts that are not robots.txt.
var (
	textWarning = language.New("warning: %[1]s: %[2]s", "aviso: %[1]s: %[2]s", "경고: %[1]s: %[2]s", "предупреждение: %[1]s: %[2]s")
	textOr      = language.New(" or ", " o ", ", ", " или ")
	textListed  = language.New(
		"no robot is named %[1]s: 'robots agents' lists them",
		"no se conoce ningún robot por el nombre %[1]s: 'robots agents' los enumera",
		"%[1]s: 이 이름으로 알려진 로봇이 없습니다. 'robots agents'로 목록을 볼 수 있습니다",
		"робот по имени %[1]s неизвестен: список выводит 'robots agents'")
	textVerbMeant = language.New(
		"did you mean '%[1]s'?",
		"¿quiso decir '%[1]s'?",
		"혹시 '%[1]s'입니까?",
		"имелось в виду '%[1]s'?")
	textOtherPurpose = language.New(
		"%[1]s: not for the purpose %[2]s",
		"%[1]s: no tiene el propósito %[2]s",
		"%[1]s: 용도가 %[2]s인 로봇이 아닙니다",
		"%[1]s: назначение не %[2]s")
)

// The verb lint, beside the texts of package lint.
var (
	textFixed = language.New(
		"%[1]s: safe fixes were written to the file",
		"%[1]s: se escribieron en el archivo las correcciones seguras",
		"%[1]s: 안전한 수정 사항을 파일에 적용했습니다",
		"%[1]s: безопасные исправления записаны в файл")
	textUnfixed = language.New(
		"%[1]s: %[2]d ⟨finding remains, because it has/findings remain, because they have⟩ no safe fix",
		"%[1]s: %[2]d ⟨problema sigue/problemas siguen⟩ sin corregir por falta de una corrección segura",
		"%[1]s: 안전한 수정이 없어 진단 %[2]d개가 남았습니다",
		"%[1]s: %[2]d ⟨замечание осталось/замечания остались/замечаний осталось⟩ без безопасного исправления")
	textPossible = language.New(
		"; a possible fix is shown for %[1]d: it may change the meaning, so make it yourself if it is right",
		"; para %[1]d se muestra una posible corrección: puede cambiar el significado, así que aplíquela a mano si es la adecuada",
		". 그중 %[1]d개에는 가능한 수정이 표시됩니다. 의미가 바뀔 수 있으니 맞는 경우에만 직접 적용하십시오",
		"; возможное исправление показано для %[1]d: оно может изменить смысл, поэтому внесите его вручную, если оно верно")
)

// The verb minimize, beside the texts of cmd/internal/say.
var textLinesStay = language.New(
	"some lines stay because there are too many cases to prove that they change nothing: --limit lets it look at more",
	"algunas líneas se quedan porque hay demasiados casos para demostrar que no cambian nada: --limit permite examinar más",
	"아무것도 바꾸지 않음을 증명하기에는 경우의 수가 너무 많아 남겨 둔 줄이 있음: --limit으로 더 살펴볼 수 있음",
	"некоторые строки остаются: слишком много случаев, чтобы доказать, что они ничего не меняют: --limit позволяет просмотреть больше")

// The verb build, beside the texts of package merge.
var (
	textNotThere = language.New(
		"%[1]s is not there: build it again",
		"%[1]s no existe: hay que volver a generarlo",
		"%[1]s⟨이/가⟩ 없음: 다시 만들 것",
		"%[1]s отсутствует: соберите его заново")
	textNotCurrent = language.New(
		"%[1]s is not what the fragments make: build it again",
		"%[1]s no es lo que resulta de los fragmentos: hay que volver a generarlo",
		"%[1]s⟨이/가⟩ 조각 파일로 만든 결과와 다름: 다시 만들 것",
		"%[1]s не совпадает с тем, что получается из фрагментов: соберите его заново")
)
