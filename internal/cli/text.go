package cli

import "github.com/robotsexclusion/robots/internal/language"

// What is wrong with the flags of a command line.
var (
	textUnknownFlag = language.New(
		"unknown flag %[1]s",
		"opción desconocida: %[1]s",
		"알 수 없는 플래그: %[1]s",
		"неизвестный флаг %[1]s")
	textNearFlag = language.New(
		"unknown flag %[1]s: did you mean %[2]s?",
		"opción desconocida: %[1]s: ¿quiso decir %[2]s?",
		"알 수 없는 플래그: %[1]s: 혹시 %[2]s입니까?",
		"неизвестный флаг %[1]s: имелось в виду %[2]s?")
	textNoFlag = language.New(
		"%[1]s is not a flag: flags have a name after the two hyphens",
		"%[1]s no es una opción: las opciones llevan un nombre después de los dos guiones",
		"%[1]s: 플래그가 아닙니다. 두 하이픈 뒤에 이름을 쓰십시오",
		"%[1]s — не флаг: после двух дефисов пишется имя")
	textNoValue = language.New(
		"%[1]s has no value: write %[1]s %[2]s",
		"falta el valor de %[1]s: escriba %[1]s %[2]s",
		"%[1]s에 값이 없습니다. %[1]s %[2]s 형식으로 쓰십시오",
		"у %[1]s нет значения: напишите %[1]s %[2]s")
	textNoUnit = language.New(
		"%[1]s %[2]s has no unit: write %[2]ss for seconds, %[2]sm for minutes or %[2]sh for hours",
		"%[1]s %[2]s no tiene unidad: escriba %[2]ss para segundos, %[2]sm para minutos o %[2]sh para horas",
		"%[1]s %[2]s에 단위가 없습니다. 초는 %[2]ss, 분은 %[2]sm, 시간은 %[2]sh로 쓰십시오",
		"у %[1]s %[2]s нет единицы: напишите %[2]ss для секунд, %[2]sm для минут или %[2]sh для часов")
	textNoTime = language.New(
		"%[1]s %[2]s is not a length of time: write a number and a unit, such as 20s, 5m or 1h30m",
		"%[1]s %[2]s no es una duración: escriba un número y una unidad, como 20s, 5m o 1h30m",
		"%[1]s %[2]s: 시간 길이가 아닙니다. 20s, 5m, 1h30m처럼 숫자와 단위를 쓰십시오",
		"%[1]s %[2]s — не длительность: напишите число и единицу, например 20s, 5m или 1h30m")
	textNoBool = language.New(
		"%[1]s=%[2]s is neither true nor false: write %[1]s, or %[1]s=false",
		"%[1]s=%[2]s no es ni true ni false: escriba %[1]s o %[1]s=false",
		"%[1]s=%[2]s: true도 false도 아닙니다. %[1]s 또는 %[1]s=false로 쓰십시오",
		"%[1]s=%[2]s — не true и не false: напишите %[1]s или %[1]s=false")
	textNoNumber = language.New(
		"%[1]s %[2]s is not a whole number",
		"%[1]s %[2]s no es un número entero",
		"%[1]s %[2]s: 정수가 아닙니다",
		"%[1]s %[2]s — не целое число")
	textRange = language.New(
		"%[1]s %[2]s is out of range: name a smaller number",
		"%[1]s %[2]s está fuera de rango: indique un número menor",
		"%[1]s %[2]s: 범위를 벗어났습니다. 더 작은 수를 쓰십시오",
		"%[1]s %[2]s вне допустимых пределов: укажите число поменьше")
	textNoDecimal = language.New(
		"%[1]s %[2]s is not a number",
		"%[1]s %[2]s no es un número",
		"%[1]s %[2]s: 수가 아닙니다",
		"%[1]s %[2]s — не число")
	textNoList = language.New(
		"%[1]s %[2]s is not a list: separate names by commas, without quotation marks",
		"%[1]s %[2]s no es una lista: separe los nombres con comas, sin comillas",
		"%[1]s %[2]s: 목록이 아닙니다. 따옴표 없이 쉼표로 이름을 구분하십시오",
		"%[1]s %[2]s — не список: разделяйте имена запятыми, без кавычек")
	textBadValue  = language.New("%[1]s %[2]s: %[3]s", "%[1]s %[2]s: %[3]s", "%[1]s %[2]s: %[3]s", "%[1]s %[2]s: %[3]s")
	textNearValue = language.New("%[1]s %[2]s: %[3]s; did you mean %[4]s?", "%[1]s %[2]s: %[3]s; ¿quiso decir %[4]s?", "%[1]s %[2]s: %[3]s. 혹시 %[4]s입니까?", "%[1]s %[2]s: %[3]s; имелось в виду %[4]s?")
)
