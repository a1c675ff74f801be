package pathregex

import "slices"

// Words returns expressions that together match the names in any text, with other expressions
// before and after a name. Each blank in a name also matches a "+".
func Words(names []string, before, after string, limit int) ([]string, error) {
	w := &writer{Syntax: &Syntax{Limit: limit}, numbers: make(map[string]unit), spelled: make(map[unit]string),
		suffix: after}
	blank, nameEnd := w.number(`[ +]`), w.number("")
	var items []item
	for _, name := range names {
		var units []unit
		for _, c := range []byte(name) {
			if c == ' ' {
				units = append(units, blank)
			} else {
				units = append(units, plain|unit(c))
			}
		}
		items = append(items, item{append(units, nameEnd), nil})
	}
	if len(items) == 0 {
		return nil, nil
	}
	slices.SortFunc(items, func(a, b item) int { return slices.Compare(a.units, b.units) })
	if err := w.write(w.tree(items, 0), before); err != nil {
		return nil, err
	}
	return w.out, nil
}
