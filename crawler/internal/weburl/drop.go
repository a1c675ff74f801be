package weburl

import "strings"

// dropsAny reports whether the query has a parameter that may be dropped.
func dropsAny(query string) bool {
	for param := range strings.SplitSeq(query, "&") {
		if drops(param, true) {
			return true
		}
	}
	return false
}

// drops reports whether a parameter of a query is dropped. The query may have the session
// ids of ColdFusion.
func drops(param string, coldFusion bool) bool {
	name, value, _ := strings.Cut(param, "=")
	return name != "" && (isTracking(name) || isSession(name, value, coldFusion))
}

// isTracking reports whether a parameter only identifies the source of a visit, as a document
// says: the operators of advertising networks document them, and Firefox removes them at the
// user's request (firefox-source-docs.mozilla.org, "Query Parameter Stripping"). Parameters with
// other uses on some sites, such as ref and source, do not count.
func isTracking(name string) bool {
	switch name[0] {
	case 'u':
		return strings.HasPrefix(name, "utm_") // Google Analytics, "Collect campaign data with custom URLs"
	case 'o':
		return strings.HasPrefix(name, "oly_") // Omeda, the reader of a mail; Firefox's list
	}
	switch name {
	case "gclid", "gclsrc", // Google Ads, "About click IDs" (support.google.com/searchads/answer/7342044)
		"dclid",            // Google Campaign Manager 360; Mozilla bug 1836737
		"gbraid", "wbraid", // Google Ads, for visitors from apps; Firefox's list
		"fbclid",                               // Meta, "ClickID and the fbp and fbc Parameters"
		"msclkid",                              // Microsoft Advertising, its click ID; Firefox's list
		"yclid",                                // Yandex Direct (yandex.com/support/metrica, "get-yclid")
		"ysclid",                               // Yandex search (yandex.com/support/metrica, "search-query-sup")
		"_openstat",                            // Openstat, of Russian advertisers; Firefox's list
		"twclid",                               // X Ads; Firefox's list
		"li_fat_id",                            // LinkedIn, "Enabling first-party cookies"
		"mc_eid",                               // Mailchimp, the reader of a mail; Firefox's list
		"mkt_tok",                              // Marketo, the reader of a mail; Firefox's list
		"vero_id",                              // Vero, the reader of a mail; Firefox's list
		"_hsenc", "__hssc", "__hstc", "__hsfp": // HubSpot, the reader of a mail and the visit; Firefox's list
		return true
	}
	return false
}

// isSession reports whether a parameter is a session id. Names match in any case.
// Unambiguous names suffice; sid, s and sessionid have other meanings too, so their
// values must look like an id as well; and CFID is a session id only beside CFTOKEN.
// Most names are those of Heritrix (StripSessionIDs, StripSessionCFIDs).
func isSession(name, value string, coldFusion bool) bool {
	switch len(name) {
	case 1, 3:
		return (strings.EqualFold(name, "s") || strings.EqualFold(name, "sid")) && isID(value, 32, 32)
	case 4:
		return coldFusion && strings.EqualFold(name, "cfid")
	case 5:
		return strings.EqualFold(name, "zenid") && isID(value, 22, 64) // Zen Cart
	case 6:
		// osCommerce, xt:Commerce
		return (strings.EqualFold(name, "oscsid") || strings.EqualFold(name, "xtcsid")) && isID(value, 22, 64)
	case 7:
		return strings.EqualFold(name, "cftoken") // ColdFusion
	case 9:
		return strings.EqualFold(name, "phpsessid") || strings.EqualFold(name, "sessionid") && isID(value, 16, 64)
	case 10:
		return strings.EqualFold(name, "jsessionid") || strings.EqualFold(name, "session_id") && isID(value, 16, 64)
	case 20:
		return strings.EqualFold(name[:12], "aspsessionid") // followed by eight letters
	}
	return false
}

// isID reports whether a value has letters and digits, both of them and nothing else,
// and a length between least and most.
func isID(value string, least, most int) bool {
	letters, digits := 0, 0
	for i := range len(value) {
		switch {
		case isAlpha(value[i]):
			letters++
		case isDigit(value[i]):
			digits++
		default:
			return false
		}
	}
	return letters > 0 && digits > 0 && least <= len(value) && len(value) <= most
}

// hasFold reports whether s contains text, in any case. The text must be short and in
// lower case.
func hasFold(s, text string) bool {
	for i := 0; i+len(text) <= len(s); i++ {
		if strings.EqualFold(s[i:i+len(text)], text) {
			return true
		}
	}
	return false
}

// pathSession precedes a session id in a path, written by a Java server (Servlet 3.1,
// section 7.1.3).
const pathSession = ";jsessionid="

// withoutPathSession removes session ids from the path at the end of dst that begins at
// first.
func withoutPathSession(dst []byte, first int) []byte {
	path := string(dst[first:])
	if !hasFold(path, pathSession) {
		return dst
	}
	dst = dst[:first]
	for segment := range strings.SplitSeq(path[1:], "/") {
		dst = append(dst, '/')
		from := len(dst)
		for text := segment; ; {
			i := strings.IndexByte(text, ';')
			if i < 0 {
				dst = append(dst, text...)
				break
			}
			dst = append(dst, text[:i]...)
			text = text[i:]
			end := 1 + strings.IndexByte(text[1:]+";", ';')
			if param := text[:end]; len(param) < len(pathSession) ||
				!strings.EqualFold(param[:len(pathSession)], pathSession) {
				dst = append(dst, param...)
			}
			text = text[end:]
		}
		if dots(string(dst[from:])) != 0 {
			dst = append(dst[:from], segment...) // without the id it would be a dot segment
		}
	}
	return dst
}
