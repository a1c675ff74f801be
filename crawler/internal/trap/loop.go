package trap

import "strings"

// maxPeriod is the maximum number of segments that repeat together.
const maxPeriod = 8

// repeated returns a segment that occurs more than maxRepeats times in a row in the path,
// alone or together with its neighbours.
func repeated(path []string) string {
	for period := 1; period <= maxPeriod && period*(maxRepeats+1) <= len(path); period++ {
		same := 0 // segments in a row that equal those one period before
		for i := period; i < len(path); i++ {
			if path[i] != path[i-period] {
				same = 0
			} else if same++; same == period*maxRepeats {
				return path[i]
			}
		}
	}
	return ""
}

// deep is the number of segments from which two segments together may not be as frequent
// as one may be.
const deep = 10

// frequent returns a segment of the path, or a parameter with its value, that occurs more
// than maxCount times. Empty ones do not count.
func frequent(path []string, query string) string {
	segment, count, others := maxOften(path, maxCount)
	if count > maxCount || len(path) >= deep && others > 0 {
		return segment
	}
	if strings.Count(query, "&") < maxCount {
		return ""
	}
	var few [32]string
	params := few[:0]
	for param := range strings.SplitSeq(query, "&") {
		params = append(params, param)
	}
	if param, count, _ := maxOften(params, maxCount); count > maxCount {
		return param
	}
	return ""
}

// maxOften returns the first text that occurs more than n times in the list, or else the
// first that occurs n times. count is the minimum number of its occurrences, and others
// is the number of other texts that occur n times.
func maxOften(list []string, n int) (text string, count, others int) {
	if len(list) < n {
		return "", 0, 0
	}
	// Most lists are so short that a map would cost more time and memory.
	var counts map[string]int
	if len(list) > 32 {
		counts = make(map[string]int, len(list))
	}
	for i, t := range list {
		if t == "" || t == "/" {
			continue
		}
		c := 1
		if counts != nil {
			counts[t]++
			c = counts[t]
		} else {
			for _, before := range list[:i] {
				if before == t {
					c++
				}
			}
		}
		switch {
		case c > n:
			return t, c, others
		case c == n && text != "":
			others++
		case c == n:
			text, count = t, c
		}
	}
	return text, count, others
}

// pathSession returns the segment with a session ID of ASP.NET: one or several of A, S
// and F, each with a value in parentheses, all in parentheses. The value of S has 24
// letters and digits.
func pathSession(path []string) string {
	for _, segment := range path {
		inner, ok := strings.CutPrefix(segment, "(")
		if !ok {
			continue
		}
		if inner, ok = strings.CutSuffix(inner, ")"); !ok {
			continue
		}
		for inner != "" {
			end := strings.IndexByte(inner, ')')
			if end < 2 || inner[1] != '(' || !strings.Contains("ASF", inner[:1]) {
				break
			}
			if id := inner[2:end]; inner[0] == 'S' && len(id) == 24 {
				return segment
			}
			inner = inner[end+1:]
		}
	}
	return ""
}
