package trap

// The words for acts and effects, in the form of [appendWord].
var (
	// doing are words that mean an act wherever they are a whole segment of the path, the
	// value of a parameter, or its name.
	doing = [][]string{
		{ // English
			"logout", "log-out", "logoff", "log-off", "signout", "sign-out", "signoff", "sign-off",
			"userlogout", "special:userlogout", "special:logout",
			"add-to-cart", "addtocart", "add-to-basket", "addtobasket", "add-to-bag",
			"add-to-wishlist", "addtowishlist", "unsubscribe",
		},
		{ // Spanish
			"cerrar-sesion", "cerrar-sesión", "cerrarsesion", "cerrar-la-sesion", "desconectarse", "especial:salir",
			"anadir-al-carrito", "añadir-al-carrito", "agregar-al-carrito", "agregar-al-carro",
			"anadir-a-la-cesta", "añadir-a-la-cesta",
			"darse-de-baja", "cancelar-suscripcion", "cancelar-suscripción",
		},
		{ // Korean
			"로그아웃", "특수:로그아웃", "장바구니담기", "장바구니-담기", "장바구니에-담기",
			"구독취소", "구독-취소", "구독해지", "구독-해지", "수신거부", "수신-거부", "회원탈퇴", "회원-탈퇴",
		},
		{ // Russian, also in Latin letters
			"выйти", "vyjti", "vyiti", "завершить-сеанс", "служебная:завершение-сеанса",
			"добавить-в-корзину", "в-корзину", "dobavit-v-korzinu", "v-korzinu",
			"отписаться", "otpisatsya", "отписка",
		},
	}

	// done are words that mean an act only next to a target, such as a number, or as the
	// value of a parameter such as action. Elsewhere they may be the subject of a page.
	done = [][]string{
		{ // English
			"delete", "destroy", "remove", "edit", "vote", "upvote", "downvote", "unvote", "unlike", "unfollow",
			"reply",
			"cast-vote", "castvote", "vote-up", "voteup", "vote-down", "votedown", "vote-now", "thumbs-up", "thumbsup",
			"thumbs-down", "thumbsdown",
		},
		{ // Spanish
			"eliminar", "borrar", "editar", "votar", "salir", "responder", "emitir-voto", "votar-ahora",
		},
		{ // Korean
			"삭제", "편집", "수정", "투표", "답글", "삭제하기", "수정하기", "투표하기", "비추천",
		},
		{ // Russian, also in Latin letters
			"удалить", "udalit", "редактировать", "redaktirovat", "правка", "голосовать", "golosovat", "проголосовать",
			"ответить", "выход", "vyhod", "отдать-голос", "progolosovat",
		},
	}

	// mild are words that mean an act like those of done, but may also be the subject of
	// a page with parameters, such as rates of exchange: the parameter has to name a
	// thing.
	mild = [][]string{
		{ // English
			"like", "dislike", "rate", "follow", "subscribe", "favorite", "favourite", "bookmark", "flag",
		},
		{ // Spanish
			"me-gusta", "megusta", "no-me-gusta", "valorar", "puntuar", "calificar", "seguir", "suscribirse",
			"suscribir", "denunciar",
		},
		{ // Korean
			"추천", "추천하기", "좋아요", "싫어요", "신고", "신고하기", "구독", "구독하기", "팔로우", "평가하기", "별점주기",
		},
		{ // Russian, also in Latin letters
			"нравится", "мне-нравится", "nravitsya", "лайк", "лайкнуть", "оценить", "ocenit", "подписаться",
			"podpisatsya", "пожаловаться",
		},
	}

	// things are the names of parameters, besides those that end in id, that name the
	// target of an act.
	things = []string{
		"item", "post", "product", "article", "comment", "photo", "image", "video", "topic", "thread", "entry", "node",
		"user", "member", "poll",
		"list", "newsletter", "feed", "channel", "answer", "question", "review",
		"articulo", "artículo", "producto", "comentario", "encuesta", "foto", "번호", "글", "글번호", "상품", "댓글", "статья",
		"товар", "запись", "комментарий", "опрос",
	}

	// shows are the names of parameters for the display of a page.
	shows = []string{
		"lang", "language", "locale", "hl", "l", "page", "p", "sort", "order", "view", "format", "print", "theme",
		"tab", "year", "version", "v", "ref", "from", "source",
		"idioma", "pagina", "página", "언어", "페이지", "язык", "страница",
	}

	// acts are the values that mean an act only in a parameter such as action: of
	// MediaWiki, vBulletin, phpBB and shops.
	acts = []string{
		"submit", "rollback", "undo", "purge", "watch", "unwatch", "markpatrolled", "protect", "move",
		"newreply", "newthread", "postreply", "quote", "add", "buy", "buy-now", "cancel", "lostpassword",
	}

	// carts are containers such as shopping carts: an act beside one, such as add, has an
	// effect.
	carts = []string{
		"cart", "basket", "bag", "wishlist", "shopping-cart", "shoppingcart", "carrito", "cesta",
		"장바구니", "찜", "корзина", "korzina", "избранное",
	}

	// actors are the names of parameters whose value is an act.
	actors = []string{
		"action", "act", "veaction", "do", "op", "operation", "cmd", "command", "task", "mode", "method", "-method",
		"func",
	}

	// names are names of parameters that have an effect with any value, besides the words
	// of doing: of WooCommerce, WordPress and its comments.
	names = []string{
		"remove-item", "undo-item", "remove-coupon", "replytocom", "unapproved",
	}

	// questions are the names of parameters whose value is a search term.
	questions = []string{
		"q", "query", "s", "search", "text", "keyword", "keywords", "wd", "term",
	}
)

// senses is the set of possible meanings of a word.
type senses uint16

const (
	isDoing senses = 1 << iota
	isDone
	isAct
	isActor
	isName
	isQuestion
	isCart
	isMild
	isThing
	isShow
)

var meanings = func() map[string]senses {
	m := make(map[string]senses)
	set := func(words []string, what senses) {
		for _, word := range words {
			m[word] |= what
		}
	}
	for _, words := range doing {
		set(words, isDoing|isName)
	}
	for _, words := range done {
		set(words, isDone)
	}
	for _, words := range mild {
		set(words, isMild)
	}
	set(things, isThing)
	set(shows, isShow)
	set(acts, isAct)
	set(actors, isActor)
	set(names, isName)
	set(questions, isQuestion)
	set(carts, isCart)
	return m
}()
