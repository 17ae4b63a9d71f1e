package gate

import (
	"encoding/json"
	"errors"

	"github.com/danielgtaylor/huma/v2"
)

// Huma takes its errors from package variables: there is one program, and one form of problems in it.
func init() {
	huma.NewError = func(status int, message string, errs ...error) huma.StatusError {
		return NewProblem(status, message, errs...)
	}
	huma.DefaultArrayNullable = false // we send [] and expect it
	huma.ValidateStrictCasing = true  // "N" is not "n"; bound sees to it that "n" comes once
}

// Configure sets how huma reads, validates and writes bodies, the last layer of the gate.
func Configure(config *huma.Config) {
	config.CreateHooks = nil // no $schema in answers
	config.RejectUnknownQueryParameters = true
	format := huma.Format{Marshal: huma.DefaultJSONFormat.Marshal, Unmarshal: unmarshal}
	config.Formats = map[string]huma.Format{"application/json": format, "json": format}
	config.Transformers = []huma.Transformer{func(ctx huma.Context, _ string, v any) (any, error) {
		if p, ok := v.(*Problem); ok {
			p.RequestID = CallOf(ctx.Context()).ID
		}
		return v, nil
	}}
}

// null stands for a null: a value of no type that a schema allows, so that validation refuses it and names its
// place. Huma would take it for a field that is not there.
type null struct{}

// unmarshal is stricter than huma's own in one point and kinder in another: null is no value for a field that may
// be left out, and a whole number may be written as 81.0.
func unmarshal(text []byte, to any) error {
	err := json.Unmarshal(text, to)
	if value, whole := to.(*any); whole { // the look before validation
		*value = withoutNulls(*value)
		return err
	}
	if wrong := (*json.UnmarshalTypeError)(nil); !errors.As(err, &wrong) {
		return err
	}
	// Validation has found it sound, so a number is written as no integer of Go is.
	var plain any
	if json.Unmarshal(text, &plain) != nil {
		return err
	}
	again, failed := json.Marshal(plain)
	if failed != nil {
		return err
	}
	return json.Unmarshal(again, to)
}

func withoutNulls(value any) any {
	switch v := value.(type) {
	case nil:
		return null{}
	case []any:
		for k := range v {
			v[k] = withoutNulls(v[k])
		}
	case map[string]any:
		for name := range v {
			v[name] = withoutNulls(v[name])
		}
	}
	return value
}
