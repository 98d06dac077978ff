// Prints what Helm would make of a chart: the same template language and the same functions, by the library that Helm
// takes them from. Arguments: the chart's directory, a release's name, and a file with more values. The values are JSON,
// because the tests read YAML by another library.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
)

func main() {
	if err := render(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func render(chart, release, valuesFile string) error {
	text, err := os.ReadFile(valuesFile)
	if err != nil {
		return err
	}
	var given struct{ Chart, Values map[string]any }
	if err := json.Unmarshal(text, &given); err != nil {
		return err
	}
	all := template.New(chart).Option("missingkey=error").Funcs(sprig.TxtFuncMap())
	all.Funcs(template.FuncMap{
		// JSON is YAML, and what a reader of YAML sees is the same.
		"toYaml": func(value any) (string, error) {
			text, err := json.Marshal(value)
			return string(text), err
		},
		"include": func(name string, data any) (string, error) {
			var out bytes.Buffer
			err := all.ExecuteTemplate(&out, name, data)
			return out.String(), err
		},
	})
	files, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if _, err := all.New(file).Parse(string(text)); err != nil {
			return err
		}
	}
	data := map[string]any{
		"Release": map[string]any{"Name": release},
		"Chart":   given.Chart,
		"Values":  given.Values,
	}
	for _, file := range files {
		// Parts of others, and the notes, which are for people.
		if strings.HasPrefix(filepath.Base(file), "_") || strings.HasSuffix(file, ".txt") {
			continue
		}
		fmt.Printf("---\n# %s\n", filepath.Base(file))
		if err := all.ExecuteTemplate(os.Stdout, file, data); err != nil {
			return err
		}
		fmt.Println()
	}
	return nil
}
