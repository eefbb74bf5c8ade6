// Writes one JSON schema per kind of the Kubernetes API, in the form that kubeconform reads, from the
// OpenAPI document of the API server. The schemas are strict: a field that the API does not have is an error.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
)

type object = map[string]any

const referencePrefix = "#/definitions/"

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: schemas SWAGGER_JSON OUTPUT_FOLDER")
	}
	count, err := run(os.Args[1], os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d schemas\n", count)
}

func run(swagger, folder string) (int, error) {
	text, err := os.ReadFile(swagger)
	if err != nil {
		return 0, err
	}
	var document struct{ Definitions map[string]object }
	if err := json.Unmarshal(text, &document); err != nil {
		return 0, fmt.Errorf("%s: %w", swagger, err)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return 0, err
	}
	strict := object{}
	for name, definition := range document.Definitions {
		strict[name] = schema(name, definition)
	}
	count := 0
	for name, definition := range document.Definitions {
		for _, kind := range kinds(definition) {
			if err := write(filepath.Join(folder, fileName(kind)), whole(name, kind, strict)); err != nil {
				return 0, err
			}
			count++
		}
	}
	return count, nil
}

// A definition as a schema. The API takes null for a field that is left out, and numbers for quantities.
func schema(name string, definition object) object {
	switch {
	case strings.HasSuffix(name, ".Quantity"):
		return object{"type": []string{"string", "number"}}
	case definition["format"] == "int-or-string":
		return object{"type": []string{"string", "integer"}}
	case strings.HasSuffix(name, ".JSON"), strings.Contains(name, ".JSONSchemaPropsOr"):
		return object{}
	}
	result := object{}
	for key, value := range definition {
		switch key {
		case "type", "required", "enum", "$ref":
			result[key] = value
		case "items", "additionalProperties":
			if nested, ok := value.(object); ok {
				result[key] = schema("", nested)
			}
		}
	}
	properties, ok := definition["properties"].(object)
	if !ok {
		return result
	}
	required := map[any]bool{}
	if names, ok := definition["required"].([]any); ok {
		for _, field := range names {
			required[field] = true
		}
	}
	fields := object{}
	for field, value := range properties {
		fields[field] = schema("", value.(object))
		if !required[field] {
			fields[field] = object{"anyOf": []any{fields[field], object{"type": "null"}}}
		}
	}
	result["properties"] = fields
	result["additionalProperties"] = false
	return result
}

type kind struct{ group, version, name string }

func kinds(definition object) []kind {
	var result []kind
	list, _ := definition["x-kubernetes-group-version-kind"].([]any)
	for _, entry := range list {
		values := entry.(object)
		result = append(result, kind{values["group"].(string), values["version"].(string), values["kind"].(string)})
	}
	return result
}

// The name under which kubeconform looks for a kind: its group up to the first dot.
func fileName(k kind) string {
	parts := []string{k.name}
	if k.group != "" {
		parts = append(parts, strings.Split(k.group, ".")[0])
	}
	return strings.ToLower(strings.Join(append(parts, k.version), "-")) + ".json"
}

// The schema of a kind with every definition that it leads to.
func whole(name string, k kind, all object) object {
	reached := object{}
	collect(all[name], all, reached)
	root := object{"$schema": "http://json-schema.org/draft-07/schema#", "definitions": reached}
	for key, value := range all[name].(object) {
		root[key] = value
	}
	apiVersion := strings.TrimPrefix(k.group+"/"+k.version, "/")
	if fields, ok := root["properties"].(object); ok {
		withKind := object{}
		for field, value := range fields {
			withKind[field] = value
		}
		withKind["apiVersion"] = object{"const": apiVersion}
		withKind["kind"] = object{"const": k.name}
		root["properties"] = withKind
	}
	return root
}

func collect(value any, all, reached object) {
	switch node := value.(type) {
	case object:
		if reference, ok := node["$ref"].(string); ok {
			name := strings.TrimPrefix(reference, referencePrefix)
			if _, seen := reached[name]; !seen {
				reached[name] = all[name]
				collect(all[name], all, reached)
			}
		}
		for _, nested := range node {
			collect(nested, all, reached)
		}
	case []any:
		for _, nested := range node {
			collect(nested, all, reached)
		}
	}
}

func write(path string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}
