package oracle_test

import (
	"bytes"
	"maps"
	"net/http/httptest"
	"os"
	"slices"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestMetrics holds the metrics that "robots audit" writes against the client library of
// Prometheus, which reads a text with hostile labels, puts it in order and writes it again.
func TestMetrics(t *testing.T) {
	want, err := os.ReadFile("../cmd/internal/audit/auditlive/testdata/hostile.metrics")
	fatal.If(t, err)
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(bytes.NewReader(want))
	fatal.If(t, err)
	if len(families) != 11 {
		t.Errorf("the library reads %d metrics, want all 11", len(families))
	}
	all := func() ([]*dto.MetricFamily, error) { return slices.Collect(maps.Values(families)), nil }
	answer := httptest.NewRecorder()
	promhttp.HandlerFor(prometheus.Gatherers{prometheus.GathererFunc(all)}, promhttp.HandlerOpts{}).ServeHTTP(answer,
		httptest.NewRequest("GET", "/metrics", nil))
	if got := answer.Body.String(); got != string(want) {
		t.Errorf("the library writes\n%s\nrobots writes\n%s", got, want)
	}
	if problems, err := promlint.New(bytes.NewReader(want)).Lint(); len(problems) > 0 || err != nil {
		t.Errorf("promlint finds problems: %v, %v", problems, err)
	}
}
