package testweb

import (
	"fmt"
	"strings"
)

var shop = Kind{
	Name: "shop", Share: 3,
	Doc: "Links and forms that do something: logging out, buying, voting, deleting.",
	page: func(h *host, r *request) answer {
		if r.path == "/" {
			a := answer{title: "The shop", links: []link{h.to("/logout"), {host: h, page: -1, path: "/search",
				element: form}}}
			for i := 1; i <= 4; i++ {
				a.links = append(a.links, h.to(fmt.Sprintf("/item/%d.html", i)))
			}
			return a
		}
		var item int
		if n, err := fmt.Sscanf(r.path, "/item/%d.html", &item); n == 1 && err == nil &&
			r.path == fmt.Sprintf("/item/%d.html", item) && 1 <= item && item <= 4 {
			a := answer{title: fmt.Sprintf("Item %d", item)}
			for _, path := range []string{"/cart/add?id=%d", "/index.php?action=delete&id=%d", "/item/%d/delete",
				"/vote?id=%d&add-to-cart=1", "/user/logout?from=%d"} {
				a.links = append(a.links, h.to(fmt.Sprintf(path, item)))
			}
			a.links = append(a.links, link{host: h, page: -1, path: fmt.Sprintf("/order/%d", item), element: form})
			return a
		}
		if shopEffect(r.path) == effect {
			return answer{title: "It is done"}
		}
		return notFound
	},
	part: shopEffect,
}

// shopEffect reports that all paths but the items have a side effect.
func shopEffect(path string) part {
	for _, prefix := range []string{"/logout", "/user/logout", "/cart/", "/index.php?action=", "/vote?", "/order/",
		"/search"} {
		if strings.HasPrefix(path, prefix) {
			return effect
		}
	}
	if strings.HasSuffix(path, "/delete") {
		return effect
	}
	return content
}
