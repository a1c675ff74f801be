package htmltree

import "github.com/robotsexclusion/robots/internal/html/htmltoken"

// An element is the name of an element that the rules of tree construction in HTML mention. All
// other names are otherElement.
type element uint8

const (
	otherElement element = iota
	aElement
	addressElement
	annotationXMLElement
	appletElement
	areaElement
	articleElement
	asideElement
	bElement
	baseElement
	basefontElement
	bgsoundElement
	bigElement
	blockquoteElement
	bodyElement
	brElement
	buttonElement
	captionElement
	centerElement
	codeElement
	colElement
	colgroupElement
	ddElement
	descElement
	detailsElement
	dialogElement
	dirElement
	divElement
	dlElement
	dtElement
	emElement
	embedElement
	fieldsetElement
	figcaptionElement
	figureElement
	fontElement
	footerElement
	foreignObjectElement
	formElement
	frameElement
	framesetElement
	h1Element
	h2Element
	h3Element
	h4Element
	h5Element
	h6Element
	headElement
	headerElement
	hgroupElement
	hrElement
	htmlElement
	iElement
	iframeElement
	imageElement
	imgElement
	inputElement
	keygenElement
	liElement
	linkElement
	listingElement
	mainElement
	malignmarkElement
	marqueeElement
	mathElement
	menuElement
	metaElement
	mglyphElement
	miElement
	mnElement
	moElement
	msElement
	mtextElement
	navElement
	nobrElement
	noembedElement
	noframesElement
	noscriptElement
	objectElement
	olElement
	optgroupElement
	optionElement
	pElement
	paramElement
	plaintextElement
	preElement
	rbElement
	rpElement
	rtElement
	rtcElement
	rubyElement
	sElement
	scriptElement
	searchElement
	sectionElement
	selectElement
	smallElement
	sourceElement
	spanElement
	strikeElement
	strongElement
	styleElement
	subElement
	summaryElement
	supElement
	svgElement
	tableElement
	tbodyElement
	tdElement
	templateElement
	textareaElement
	tfootElement
	thElement
	theadElement
	titleElement
	trElement
	trackElement
	ttElement
	uElement
	ulElement
	varElement
	wbrElement
	xmpElement
	elementCount
)

// A trait is a set of rules that apply to an HTML element (HTML, section 13.2.6).
type trait uint16

const (
	isVoid       trait = 1 << iota // it has no content
	isSpecial                      // end tags of other elements do not close it
	isFormatting                   // it is reopened in the next block
	isScope                        // elements outside of it cannot be closed inside
	isBlock                        // its end tag closes the elements inside
	isImplied                      // its end tag is optional
	closesP                        // its start tag ends a paragraph
	endsForeign                    // its start tag ends foreign content
	isIgnored                      // its tags do not change the open elements
	isRaw                          // it has text and no markup
	inTable                        // a part of a table
	keepsFormat                    // its start tag does not reopen formatting
	isNoItem                       // for special elements: list items inside do not end list items outside
)

// elementTraits has the name of each element and its traits.
var elementTraits = [elementCount]struct {
	name   string
	traits trait
}{
	aElement:             {"a", isFormatting},
	addressElement:       {"address", isSpecial | isBlock | closesP},
	annotationXMLElement: {"annotation-xml", 0},
	appletElement:        {"applet", isSpecial | isScope | isBlock},
	areaElement:          {"area", isVoid},
	articleElement:       {"article", isSpecial | isBlock | closesP},
	asideElement:         {"aside", isSpecial | isBlock | closesP},
	bElement:             {"b", isFormatting | endsForeign},
	baseElement:          {"base", isVoid | keepsFormat},
	basefontElement:      {"basefont", isVoid | keepsFormat},
	bgsoundElement:       {"bgsound", isVoid | keepsFormat},
	bigElement:           {"big", isFormatting | endsForeign},
	blockquoteElement:    {"blockquote", isSpecial | isBlock | closesP | endsForeign},
	bodyElement:          {"body", isIgnored | endsForeign},
	brElement:            {"br", isVoid | endsForeign},
	buttonElement:        {"button", isSpecial | isBlock},
	captionElement:       {"caption", isSpecial | isScope | inTable},
	centerElement:        {"center", isSpecial | isBlock | closesP | endsForeign},
	codeElement:          {"code", isFormatting | endsForeign},
	colElement:           {"col", isSpecial | inTable},
	colgroupElement:      {"colgroup", isSpecial | inTable},
	ddElement:            {"dd", isSpecial | isBlock | isImplied | endsForeign | keepsFormat},
	descElement:          {"desc", 0},
	detailsElement:       {"details", isSpecial | isBlock | closesP},
	dialogElement:        {"dialog", isBlock | closesP},
	dirElement:           {"dir", isSpecial | isBlock | closesP},
	divElement:           {"div", isSpecial | isBlock | closesP | endsForeign},
	dlElement:            {"dl", isSpecial | isBlock | closesP | endsForeign},
	dtElement:            {"dt", isSpecial | isBlock | isImplied | endsForeign | keepsFormat},
	emElement:            {"em", isFormatting | endsForeign},
	embedElement:         {"embed", isVoid | endsForeign},
	fieldsetElement:      {"fieldset", isSpecial | isBlock | closesP},
	figcaptionElement:    {"figcaption", isSpecial | isBlock | closesP},
	figureElement:        {"figure", isSpecial | isBlock | closesP},
	fontElement:          {"font", isFormatting},
	footerElement:        {"footer", isSpecial | isBlock | closesP},
	foreignObjectElement: {"foreignobject", 0},
	formElement:          {"form", isSpecial | closesP},
	frameElement:         {"frame", isIgnored},
	framesetElement:      {"frameset", isIgnored},
	h1Element:            {"h1", isSpecial | closesP | endsForeign},
	h2Element:            {"h2", isSpecial | closesP | endsForeign},
	h3Element:            {"h3", isSpecial | closesP | endsForeign},
	h4Element:            {"h4", isSpecial | closesP | endsForeign},
	h5Element:            {"h5", isSpecial | closesP | endsForeign},
	h6Element:            {"h6", isSpecial | closesP | endsForeign},
	headElement:          {"head", isIgnored | endsForeign},
	headerElement:        {"header", isSpecial | isBlock | closesP},
	hgroupElement:        {"hgroup", isSpecial | isBlock | closesP},
	hrElement:            {"hr", isVoid | closesP | endsForeign},
	htmlElement:          {"html", isIgnored},
	iElement:             {"i", isFormatting | endsForeign},
	iframeElement:        {"iframe", isSpecial | isRaw | keepsFormat},
	imageElement:         {"image", isVoid},
	imgElement:           {"img", isVoid | endsForeign},
	inputElement:         {"input", isVoid},
	keygenElement:        {"keygen", isVoid},
	liElement:            {"li", isSpecial | isBlock | isImplied | endsForeign | keepsFormat},
	linkElement:          {"link", isVoid | keepsFormat},
	listingElement:       {"listing", isSpecial | isBlock | closesP | endsForeign},
	mainElement:          {"main", isSpecial | isBlock | closesP},
	malignmarkElement:    {"malignmark", 0},
	marqueeElement:       {"marquee", isSpecial | isScope | isBlock},
	mathElement:          {"math", 0},
	menuElement:          {"menu", isSpecial | isBlock | closesP | endsForeign},
	metaElement:          {"meta", isVoid | endsForeign | keepsFormat},
	mglyphElement:        {"mglyph", 0},
	miElement:            {"mi", 0},
	mnElement:            {"mn", 0},
	moElement:            {"mo", 0},
	msElement:            {"ms", 0},
	mtextElement:         {"mtext", 0},
	navElement:           {"nav", isSpecial | isBlock | closesP},
	nobrElement:          {"nobr", isFormatting | endsForeign},
	noembedElement:       {"noembed", isSpecial | isRaw | keepsFormat},
	noframesElement:      {"noframes", isSpecial | isRaw | keepsFormat},
	noscriptElement:      {"noscript", isSpecial},
	objectElement:        {"object", isSpecial | isScope | isBlock},
	olElement:            {"ol", isSpecial | isBlock | closesP | endsForeign},
	optgroupElement:      {"optgroup", isImplied},
	optionElement:        {"option", isImplied},
	pElement:             {"p", isSpecial | isImplied | closesP | endsForeign},
	paramElement:         {"param", isVoid | keepsFormat},
	plaintextElement:     {"plaintext", isSpecial | isRaw | closesP},
	preElement:           {"pre", isSpecial | isBlock | closesP | endsForeign},
	rbElement:            {"rb", isImplied | keepsFormat},
	rpElement:            {"rp", isImplied | keepsFormat},
	rtElement:            {"rt", isImplied | keepsFormat},
	rtcElement:           {"rtc", isImplied | keepsFormat},
	rubyElement:          {"ruby", endsForeign},
	sElement:             {"s", isFormatting | endsForeign},
	scriptElement:        {"script", isSpecial | isRaw | keepsFormat},
	searchElement:        {"search", isSpecial | isBlock | closesP},
	sectionElement:       {"section", isSpecial | isBlock | closesP},
	selectElement:        {"select", isSpecial | isScope | isBlock},
	smallElement:         {"small", isFormatting | endsForeign},
	sourceElement:        {"source", isVoid | keepsFormat},
	spanElement:          {"span", endsForeign},
	strikeElement:        {"strike", isFormatting | endsForeign},
	strongElement:        {"strong", isFormatting | endsForeign},
	styleElement:         {"style", isSpecial | isRaw | keepsFormat},
	subElement:           {"sub", endsForeign},
	summaryElement:       {"summary", isSpecial | isBlock | closesP},
	supElement:           {"sup", endsForeign},
	svgElement:           {"svg", 0},
	tableElement:         {"table", isSpecial | isScope | closesP | endsForeign},
	tbodyElement:         {"tbody", isSpecial | inTable},
	tdElement:            {"td", isSpecial | isScope | inTable},
	templateElement:      {"template", isSpecial | isScope | keepsFormat},
	textareaElement:      {"textarea", isSpecial | isRaw | keepsFormat},
	tfootElement:         {"tfoot", isSpecial | inTable},
	thElement:            {"th", isSpecial | isScope | inTable},
	theadElement:         {"thead", isSpecial | inTable},
	titleElement:         {"title", isSpecial | isRaw | keepsFormat},
	trElement:            {"tr", isSpecial | inTable},
	trackElement:         {"track", isVoid | keepsFormat},
	ttElement:            {"tt", isFormatting | endsForeign},
	uElement:             {"u", isFormatting | endsForeign},
	ulElement:            {"ul", isSpecial | isBlock | closesP | endsForeign},
	varElement:           {"var", endsForeign},
	wbrElement:           {"wbr", isVoid},
	xmpElement:           {"xmp", isSpecial | isRaw | closesP},
}

// traitsOf has the traits of each element, close together in memory, because each tag needs
// them.
var traitsOf = func() (table [elementCount]trait) {
	for e := range elementCount {
		table[e] = elementTraits[e].traits
		if e != addressElement && e != divElement && e != pElement {
			table[e] |= isNoItem
		}
	}
	return table
}()

func (e element) is(t trait) bool { return traitsOf[e]&t != 0 }

// isHeading reports whether e is one of h1 to h6.
func (e element) isHeading() bool { return h1Element <= e && e <= h6Element }

// hashName returns the hash of a name, ignoring case. Two names with the same hash that no rule
// mentions are treated as the same name.
func hashName(name []byte) uint32 {
	h := uint32(2166136261) // FNV-1a
	for _, c := range name {
		h = (h ^ uint32(lower(c))) * 16777619
	}
	return h
}

// elementSlots has the elements by the hash of their names.
var elementSlots = func() (slots [1 << 9]element) {
	for e := otherElement + 1; e < elementCount; e++ {
		i := hashName([]byte(elementTraits[e].name)) % uint32(len(slots))
		for slots[i] != otherElement {
			i = (i + 1) % uint32(len(slots))
		}
		slots[i] = e
	}
	return slots
}()

// elementNamed returns the element with a name, ignoring case, and the hash of the name.
func elementNamed(name []byte) (element, uint32) {
	h := hashName(name)
	for i := h % uint32(len(elementSlots)); elementSlots[i] != otherElement; i = (i + 1) % uint32(len(elementSlots)) {
		if e := elementSlots[i]; htmltoken.EqualFold(name, elementTraits[e].name) {
			return e, h
		}
	}
	return otherElement, h
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
