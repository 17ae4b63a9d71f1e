package gate

import (
	"net/http"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"
)

// worthPacking is the size from which an answer is compressed: one that fits a packet gains nothing.
const worthPacking = 1400

// FontType is the media type of fonts, which are compressed in themselves.
const FontType = "font/woff2"

// pack compresses answers for clients that take it, unless their maker has.
func pack(next http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(worthPacking), gzhttp.CompressionLevel(gzip.BestSpeed), gzhttp.EnableZstd(false),
		gzhttp.ContentTypeFilter(func(kind string) bool { return kind != FontType }))
	if err != nil {
		panic(err) // the options are constants
	}
	packed := wrap(next)
	return around(func(w http.ResponseWriter, r *http.Request, c *Call, next http.Handler) {
		if c.Route.Stream {
			next.ServeHTTP(w, r)
			return
		}
		packed(w, r)
	})(next)
}
