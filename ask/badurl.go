package ask

import (
	"errors"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/url/urlcheck"
)

// badURLs has what is wrong with a text that is not a URL. The English is that of
// [robots.CheckURL], which has no translations.
var badURLs = map[urlcheck.Fault]language.Text{
	urlcheck.Empty: language.New(
		"the URL is empty: write a path such as /index.html, or a whole URL",
		"la URL está vacía: escriba una ruta, como /index.html, o una URL completa",
		"URL이 비어 있음: /index.html 같은 경로나 전체 URL을 적을 것",
		"URL пуст: укажите путь, например /index.html, или URL целиком"),
	urlcheck.TwoSlashes: language.New(
		`"%[1]s" starts with two slashes: write "https:" before them if a host follows, or one slash if it is a path`,
		`"%[1]s" empieza por dos barras: escriba "https:" delante si sigue un host, o una sola barra si es una ruta`,
		`"%[1]s": 슬래시 두 개로 시작함: 뒤에 호스트가 오면 앞에 "https:"를 적고, 경로이면 슬래시를 하나만 적을 것`,
		`"%[1]s" начинается с двух косых черт: напишите перед ними "https:", если дальше идёт хост, или оставьте одну, если это путь`),
	urlcheck.NeitherForm: language.New(
		`"%[1]s" is neither a path nor a URL: write "/%[1]s" if it is a path, or "https://%[1]s" if it starts with a host`,
		`"%[1]s" no es ni una ruta ni una URL: escriba "/%[1]s" si es una ruta, o "https://%[1]s" si empieza por un host`,
		`"%[1]s": 경로도 URL도 아님: 경로이면 "/%[1]s", 호스트로 시작하면 "https://%[1]s"⟨이라고/라고⟩ 적을 것`,
		`"%[1]s" — не путь и не URL: напишите "/%[1]s", если это путь, или "https://%[1]s", если в начале стоит хост`),
	urlcheck.OtherScheme: language.New(
		`"%[1]s" has the scheme %[2]s: robots.txt speaks of http and https URLs, and of their paths`,
		`"%[1]s" tiene el esquema %[2]s: robots.txt habla de URL http y https, y de sus rutas`,
		`"%[1]s": 스킴이 %[2]s임: robots.txt는 http와 https URL, 그리고 그 경로에 대해서만 말함`,
		`"%[1]s" имеет схему %[2]s: robots.txt говорит об URL с http и https и об их путях`),
	urlcheck.NoSlashes: language.New(
		`"%[1]s" names no host: write %[2]s://HOST/PATH`,
		`"%[1]s" no indica ningún host: escriba %[2]s://HOST/RUTA`,
		`"%[1]s": 호스트가 없음: %[2]s://호스트/경로 형식으로 적을 것`,
		`"%[1]s" не называет хоста: напишите %[2]s://ХОСТ/ПУТЬ`),
	urlcheck.NoHost: language.New(
		`"%[1]s" names no host`,
		`"%[1]s" no indica ningún host`,
		`"%[1]s": 호스트가 없음`,
		`"%[1]s" не называет хоста`),
	urlcheck.BadAddress: language.New(
		`"%[1]s" has no valid host: an IPv6 address stands in brackets, as in http://[2001:db8::1]/`,
		`"%[1]s" no tiene un host válido: una dirección IPv6 va entre corchetes, como en http://[2001:db8::1]/`,
		`"%[1]s": 호스트가 올바르지 않음: IPv6 주소는 http://[2001:db8::1]/처럼 대괄호 안에 적음`,
		`"%[1]s": хост указан неверно: адрес IPv6 пишется в скобках, как в http://[2001:db8::1]/`),
	urlcheck.BadBracket: language.New(
		`"%[1]s" has no valid host: only a port may follow the bracket`,
		`"%[1]s" no tiene un host válido: tras el corchete solo puede ir un puerto`,
		`"%[1]s": 호스트가 올바르지 않음: 대괄호 뒤에는 포트만 올 수 있음`,
		`"%[1]s": хост указан неверно: после скобки может стоять только порт`),
	urlcheck.BadPort: language.New(
		`"%[1]s" has no valid port: %[2]s`,
		`"%[1]s" no tiene un puerto válido: %[2]s`,
		`"%[1]s": 포트가 올바르지 않음: %[2]s`,
		`"%[1]s": порт указан неверно: %[2]s`),
	urlcheck.BadByte: language.New(
		`"%[1]s" has no valid host: %[2]s cannot stand in it`,
		`"%[1]s" no tiene un host válido: no puede contener %[2]s`,
		`"%[1]s": 호스트가 올바르지 않음: %[2]s⟨은/는⟩ 쓸 수 없음`,
		`"%[1]s": хост указан неверно: в нём не может стоять %[2]s`),
}

// checkURL is [robots.CheckURL] with a message in each language.
func checkURL(url string) error {
	err := robots.CheckURL(url)
	if err == nil {
		return nil // before errors.As, which makes its target escape
	}
	bad := (*urlcheck.Error)(nil)
	if !errors.As(err, &bad) {
		return err
	}
	if bad.Fault == urlcheck.Empty {
		return badURLs[bad.Fault].Err()
	}
	return badURLs[bad.Fault].Err(bad.URL, bad.Detail)
}
