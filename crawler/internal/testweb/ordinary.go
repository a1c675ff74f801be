package testweb

var ordinary = Kind{
	Name: "ordinary", Share: 14, tree: true, calm: true,
	Doc:  "A tree of pages with links to other pages of the host and to other hosts, the first of which are popular.",
	page: func(h *host, r *request) answer { return h.treeAnswer(r.path) },
}

var slow = Kind{
	Name: "slow", Share: 1, tree: true,
	Doc: "A tree whose pages take their time: from a tenth of a second to two.",
	page: func(h *host, r *request) answer {
		a := h.treeAnswer(r.path)
		a.wait = 0.1 * float64(1+mix(h.pick, hashOf(r.path))%20)
		return a
	},
}

var dripping = Kind{
	Name: "dripping", Share: 1, tree: true,
	Doc: "A tree whose pages come a bit at a time, over two seconds.",
	page: func(h *host, r *request) answer {
		a := h.treeAnswer(r.path)
		a.way, a.wait = drip, 2
		return a
	},
}
