package lint_test

import (
	"fmt"
	"os"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/lint"
)

func Example() {
	policy := robots.Parse([]byte("User-agent: *\nDissallow: /private/\nDisallow: tmp/\n"))
	report := lint.Run(policy, lint.Options{})
	for _, d := range report.Diagnostics {
		fmt.Printf("%d:%d: %s [%s]\n", d.Line, d.Column, d.Severity, d.Check.Name)
	}
	fmt.Print(report.Fix())
	// Output:
	// 2:1: error [misspelt-field]
	// 3:11: error [pattern-start]
	// User-agent: *
	// Disallow: /private/
	// Disallow: tmp/
}

func ExampleWriter() {
	policy := robots.Parse([]byte("User-agent: *\nDisallow: /my files/\n"))
	report := lint.Run(policy, lint.Options{Language: "es"})
	if err := (lint.Writer{}).Write(os.Stdout, lint.File{Name: "robots.txt", Report: report}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// robots.txt:2:14: error: hay un espacio en el patrón: para el analizador de Google ninguna URL coincide, otros leen %20; escriba %20 en lugar del espacio, o «#» delante de un comentario [blank-in-path]
	//     Disallow: /my files/
	//                  ^
	//     posible corrección: escribir %20 en lugar de los espacios; la regla valdrá también para Google
}
