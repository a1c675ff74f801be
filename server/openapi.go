package server

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/server/answers"
	"github.com/robotsexclusion/robots/server/api"
)

// openAPI answers GET /openapi.json.
func (s *Server) openAPI(_ *boundRoute, w http.ResponseWriter, _ *http.Request) error {
	return writeJSON(w, s.document())
}

// An object is an object of JSON.
type object map[string]any

// A describer makes the OpenAPI document. It collects the schemas of named types.
type describer struct {
	schemas object
}

// makeDocument returns the OpenAPI 3.1 document of the service, from the table of routes, the types
// and the limits.
func (s *Server) makeDocument() []byte {
	d := &describer{schemas: object{}}
	paths := make(map[string]object)
	for i := range routes {
		r := &routes[i]
		if paths[r.path] == nil {
			paths[r.path] = object{}
		}
		paths[r.path][strings.ToLower(r.method)] = d.operation(r)
	}
	components := object{"schemas": d.schemas}
	security := []object{}
	if len(s.tokens) > 0 {
		components["securitySchemes"] = object{"token": object{"type": "http", "scheme": "bearer"}}
		security = append(security, object{"token": []string{}})
	}
	document, err := json.Marshal(object{
		"openapi": "3.1.0",
		"info": object{
			"title":   "A service that decides what robots may do under robots.txt (RFC 9309)",
			"version": "1",
			"license": object{"name": "Apache-2.0", "identifier": "Apache-2.0"},
			"description": fmt.Sprintf("A request takes %v at most. A body has %d bytes at most, a text of robots.txt in an object %d bytes, and a line of questions %d bytes. "+
				"At most %d requests are answered at once, %d of them with a body, and %d origins fetched; others are refused with status 503 and Retry-After. A client, which is an IPv4 address or an IPv6 network of 64 bits, gets no more of these places than are free, so that one client alone has about half of them. %s"+
				"Hosts are asked only at public addresses, unless the operator allows others. Errors are problem details (RFC 9457).",
				s.config.MaxTime, s.config.MaxBody, answers.MaxText, maxLine, s.config.MaxRequests, s.config.MaxBodies,
				s.config.MaxFetches, s.rate()),
		},
		"servers":    []object{{"url": "/"}},
		"paths":      paths,
		"components": components,
		"security":   security,
	})
	if err != nil {
		panic(err) // the document has only types with a JSON form
	}
	return append(document, '\n')
}

// rate returns a sentence with the limit of each client, or "".
func (s *Server) rate() string {
	if s.clients == nil {
		return ""
	}
	return fmt.Sprintf("A client may make %g requests a second, and %d at once; others are refused with status 429 and Retry-After. ", s.config.Rate, s.config.Burst)
}

// operation returns the description of a route.
func (d *describer) operation(r *route) object {
	name := strings.ToLower(r.method) + strings.NewReplacer("/v1/", "-", "/", "-", ".", "-").Replace(r.path)
	o := object{"operationId": name, "summary": r.summary}
	if parameters := d.parameters(r.query); len(parameters) > 0 {
		o["parameters"] = parameters
	}
	if r.body != nil {
		o["requestBody"] = object{"required": true, "content": d.content(r, r.body)}
	}
	success := object{"description": "the answer"}
	if r.picture {
		success["content"] = object{"image/svg+xml": object{"schema": object{"type": "string"}}}
	} else if r.answer != nil {
		success["content"] = d.content(r, r.answer)
	} else {
		success["content"] = object{"application/json": object{"schema": object{"type": "object"}}}
	}
	responses := object{"200": success}
	if r.conditional {
		success["headers"] = object{
			"ETag":          object{"description": "changes with the answer, or with its verdicts and the text in force", "schema": object{"type": "string"}},
			"Cache-Control": object{"description": "max-age is the time for which robots.txt is fresh; it is 0 for a history", "schema": object{"type": "string"}},
		}
		responses["304"] = object{"description": "the ETag is one of If-None-Match"}
	}
	byStatus := make(map[int][]string)
	problems := append(slices.Clone(r.problems), internal, wrongHost)
	if !r.always {
		problems = append(problems, unauthorized, tooMany)
		if strings.HasPrefix(r.path, "/v1/") {
			problems = append(problems, foreignPage)
		}
		if !slices.Contains(problems, busy) {
			problems = append(problems, busy)
		}
	}
	for _, k := range problems {
		byStatus[k.status] = append(byStatus[k.status], k.name+": "+k.title)
	}
	for status, titles := range byStatus {
		response := object{
			"description": strings.Join(titles, "; "),
			"content":     object{"application/problem+json": object{"schema": d.schema(reflect.TypeFor[api.Problem]())}},
		}
		if h, ok := problemHeaders[status]; ok {
			response["headers"] = object{h.name: object{"description": h.description,
				"schema": object{"type": "string"}}}
		}
		responses[strconv.Itoa(status)] = response
	}
	o["responses"] = responses
	if r.always {
		o["security"] = []object{} // none
	}
	return o
}

// content returns the content of a body or an answer.
func (d *describer) content(r *route, value any) object {
	schema := d.schema(reflect.TypeOf(value))
	if !r.lines {
		return object{"application/json": object{"schema": schema}}
	}
	return object{"application/jsonl": object{"schema": object{
		"type": "string", "description": "an object on each line", "contentMediaType": "application/json",
		"contentSchema": schema,
	}}}
}

// parameters returns the parameters of a query.
func (d *describer) parameters(query any) (all []object) {
	if query == nil {
		return nil
	}
	t := reflect.TypeOf(query)
	for i := range t.NumField() {
		f := t.Field(i)
		schema := d.schema(f.Type)
		constrain(schema, f)
		p := object{"name": f.Tag.Get("query"), "in": "query", "description": description(f), "schema": schema}
		if f.Tag.Get("required") == "true" {
			p["required"] = true
		}
		all = append(all, p)
	}
	return all
}

// constrain adds the constraints of the tags of a field to its schema, or to that of its items. A
// limit in bytes becomes one in characters, which are never more.
func constrain(schema object, f reflect.StructField) {
	if n, err := strconv.Atoi(f.Tag.Get("maxItems")); err == nil {
		schema["maxItems"] = n
	}
	if items, ok := schema["items"].(object); ok {
		schema = items
	}
	if list := f.Tag.Get("enum"); list != "" {
		schema["enum"] = strings.Split(list, ",")
	}
	if n, err := strconv.Atoi(f.Tag.Get("maxBytes")); err == nil {
		if schema["contentEncoding"] == "base64" {
			n = base64.StdEncoding.EncodedLen(n)
		}
		schema["maxLength"] = n
	}
	if text := f.Tag.Get("default"); text != "" {
		schema["default"] = text
	}
}

// description returns the description of a field, with its limit in bytes.
func description(f reflect.StructField) string {
	text := f.Tag.Get("doc")
	if limit := f.Tag.Get("maxBytes"); limit != "" {
		text += "; at most " + limit + " bytes"
		if f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.String {
			text += " each"
		}
	}
	return text
}

// schema returns the schema of a type.
func (d *describer) schema(t reflect.Type) object {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return object{"type": "string", "format": "date-time"}
	case t == reflect.TypeFor[[]byte]():
		return object{"type": "string", "contentEncoding": "base64"}
	}
	switch t.Kind() {
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int:
		return object{"type": "integer"}
	case reflect.Interface:
		return object{}
	case reflect.Pointer:
		return d.schema(t.Elem())
	case reflect.Slice:
		return object{"type": "array", "items": d.schema(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": d.schema(t.Elem())}
	case reflect.Struct:
		if d.schemas[t.Name()] == nil {
			properties, required := object{}, []string{}
			d.schemas[t.Name()] = object{}
			d.fields(t, properties, &required)
			d.schemas[t.Name()] = object{"type": "object", "properties": properties, "required": required,
				"additionalProperties": false}
		}
		return object{"$ref": "#/components/schemas/" + t.Name()}
	}
	panic("there is no schema for " + t.String())
}

// fields adds the fields of a struct, and those of embedded structs.
func (d *describer) fields(t reflect.Type, properties object, required *[]string) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			d.fields(f.Type, properties, required)
			continue
		}
		if !f.IsExported() {
			continue // as encoding/json
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		property := d.schema(f.Type)
		constrain(property, f)
		optional := options == "omitempty"
		if f.Type.Kind() == reflect.Pointer && !optional {
			property = object{"anyOf": []object{property, {"type": "null"}}}
		}
		property["description"] = description(f)
		properties[name] = property
		if !optional {
			*required = append(*required, name)
		}
	}
}
