package fetch

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/terminal"
)

// downloader downloads files that are known beforehand. Tests have other clients, and do not wait.
type downloader struct {
	*cli.Program
	client *http.Client
	wait   func(ctx context.Context, d time.Duration) error // between tries
	stall  time.Duration                                    // a silence that ends a try
}

// tries is how often a download is tried without getting further.
const tries = 5

func newDownloader(p *cli.Program, anyCertificate bool) *downloader {
	d := &downloader{Program: p, stall: 30 * time.Second, wait: func(ctx context.Context, d time.Duration) error {
		pause, cancel := context.WithTimeout(ctx, d)
		defer cancel()
		<-pause.Done()
		return ctx.Err()
	}}
	transport := http.DefaultTransport.(*http.Transport).Clone() // with proxies by the environment
	transport.ResponseHeaderTimeout = d.stall
	if anyCertificate {
		// The SHA-256 says who made the file; the certificate adds nothing.
		transport.TLSClientConfig = &tls.Config{InsecureSkipVerify: true}
	}
	d.client = &http.Client{Transport: transport}
	return d
}

// check compares the file at this path with the published one.
func (f remoteFile) check(ctx context.Context, path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.Size() != f.Bytes {
		return wrongFile{fmt.Errorf("%s has %d bytes, and should have %d", path, info.Size(), f.Bytes)}
	}
	sum, err := cli.Checksum(ctx, path)
	if err == nil && sum != f.SHA256 {
		err = wrongFile{fmt.Errorf("%s has the SHA-256 %s, and should have %s", path, sum, f.SHA256)}
	}
	return err
}

// wrongFile is the error of a file that is not the published one.
type wrongFile struct{ error }

func (e wrongFile) Unwrap() error { return e.error }

// download brings a file to this path, by way of path.part, which stays behind
// when it is interrupted. It returns how many bytes came over the network.
func (d *downloader) download(ctx context.Context, file remoteFile, path string) (received int64, err error) {
	t := transfer{downloader: d, file: file, path: path + ".part"}
	for {
		if err = t.complete(ctx); err == nil {
			err = file.check(ctx, t.path)
		}
		if !errors.As(err, &wrongFile{}) {
			break
		}
		os.Remove(t.path) // what is not the published file does not stay
		if !t.resumed {
			break
		}
		d.Tell("%v; starting over", err) // the old part may be to blame
	}
	if err == nil {
		err = os.Rename(t.path, path)
	}
	return t.received, err
}

type transfer struct {
	*downloader
	file     remoteFile
	path     string // of the part that is here
	resumed  bool   // some of the part is not from the latest answer
	received int64
}

// againError is a failure after which another try may succeed.
type againError struct {
	error
	after time.Duration // as the server asks; 0 is its silence
}

func (e againError) Unwrap() error { return e.error }

// complete tries until the part has all its bytes.
func (t *transfer) complete(ctx context.Context) error {
	part, err := os.OpenFile(t.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	defer part.Close()
	at, err := part.Seek(0, io.SeekEnd)
	if err == nil && at > t.file.Bytes {
		at, err = 0, part.Truncate(0)
	}
	if err != nil {
		return err
	}
	t.resumed = at > 0
	if t.resumed {
		t.Tell("%s has %s of %s already", t.path, megabytes(at), megabytes(t.file.Bytes))
	}
	// What counts is how far we ever came: a server that always starts from the
	// beginning, and never ends, must not keep us for ever.
	furthest, failures := at, 0
	for at < t.file.Bytes {
		at, err = t.try(ctx, part, at)
		if again := (againError{}); errors.As(err, &again) {
			if failures++; at >= furthest+1<<20 {
				furthest, failures = at, 1
			}
			if failures == tries {
				return t.giveUp(ctx, part, at, fmt.Errorf("%w (%d tries)", err, failures))
			}
			delay := max(time.Second<<(failures-1), min(again.after, time.Minute))
			t.Tell("%v; again in %s", err, delay)
			err = t.wait(ctx, delay)
		}
		if err != nil {
			return t.giveUp(ctx, part, at, err)
		}
	}
	if err := part.Sync(); err != nil {
		return err
	}
	return part.Close()
}

// giveUp ends a transfer that failed. A part that a later run can use stays.
func (t *transfer) giveUp(ctx context.Context, part *os.File, at int64, err error) error {
	part.Close()
	if at == 0 || errors.As(err, &wrongFile{}) {
		os.Remove(t.path)
	} else {
		t.Tell("%s of %s stay in %s; the same command goes on from there", megabytes(at), megabytes(t.file.Bytes), t.path)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if certificate := (*tls.CertificateVerificationError)(nil); errors.As(err, &certificate) {
		return fmt.Errorf("%w; the SHA-256 guards the file even so, and --ignore-certificate fetches it", err)
	}
	return err
}

// try asks once for what is missing, and returns how far the part goes then.
func (t *transfer) try(ctx context.Context, part *os.File, at int64) (int64, error) {
	awake, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	request, err := http.NewRequestWithContext(awake, http.MethodGet, t.file.URL, nil)
	if err != nil {
		return at, err
	}
	request.Header.Set("User-Agent", "fubini/"+cli.BuildVersion().Version)
	request.Header.Set("Accept-Encoding", "identity") // the bytes as they are published
	if at > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", at))
	}
	answer, err := t.client.Do(request)
	if err != nil {
		return at, passing(err)
	}
	defer answer.Body.Close()
	if at, err = t.begin(answer, part, at); err != nil {
		return at, err
	}
	watch := time.AfterFunc(t.stall, func() { cancel(fmt.Errorf("%s sent nothing for %s", request.URL.Host, t.stall)) })
	defer watch.Stop()
	at, err = t.receive(answer, part, at, func() { watch.Reset(t.stall) })
	if cause := context.Cause(awake); err != nil && cause != nil && ctx.Err() == nil {
		err = againError{error: cause}
	}
	return at, err
}

// begin reads the head of an answer, and makes the part ready for its body.
func (t *transfer) begin(answer *http.Response, part *os.File, at int64) (int64, error) {
	failure := fmt.Errorf("%s: %s", t.file.URL, answer.Status)
	if kind := answer.Header.Get("Content-Type"); answer.StatusCode < 300 && strings.HasPrefix(kind, "text/html") {
		// As networks do that want a log-in first: no reason to give up the part.
		return at, fmt.Errorf("%s: a web page came instead of the file", t.file.URL)
	}
	switch answer.StatusCode {
	case http.StatusOK: // from the beginning, whatever was asked for
		if n := answer.ContentLength; n >= 0 && n != t.file.Bytes {
			return at, t.wrongSize(n) // and the part is as it was
		}
		if at > 0 {
			t.Tell("%s starts from the beginning again", answer.Request.URL.Host)
			if err := part.Truncate(0); err != nil {
				return at, err
			}
		}
		t.resumed = false
		return 0, nil
	case http.StatusPartialContent:
		from, total, ok := contentRange(answer.Header.Get("Content-Range"))
		switch {
		case ok && total >= 0 && total != t.file.Bytes:
			return at, t.wrongSize(total)
		case !ok || from != at:
			return 0, cmp.Or(part.Truncate(0), error(againError{error: fmt.Errorf("%s sent another part than asked for", answer.Request.URL.Host)}))
		}
		t.resumed = true
		return at, nil
	case http.StatusRequestedRangeNotSatisfiable:
		return 0, cmp.Or(part.Truncate(0), error(againError{error: failure}))
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests,
		http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After")) // a date counts as nothing
		return at, againError{failure, time.Duration(max(0, min(seconds, 3600))) * time.Second}
	case http.StatusNotFound, http.StatusGone:
		return at, fmt.Errorf("%w; the publisher may have moved it", failure)
	}
	return at, failure
}

// wrongSize is the error of an answer that cannot become the published file.
func (t *transfer) wrongSize(bytes int64) error {
	return fmt.Errorf("%s has %d bytes, and should have %d: not the file that was published", t.file.URL, bytes, t.file.Bytes)
}

// receive writes the body of an answer to the part, and calls alive for all that comes.
func (t *transfer) receive(answer *http.Response, part *os.File, at int64, alive func()) (int64, error) {
	meter := newMeter(t.Program, t.file.Bytes-at)
	defer meter.Clear()
	body := io.TeeReader(answer.Body, counter(func(n int) {
		alive()
		t.received += int64(n)
		meter.add(n)
	}))
	n, err := io.Copy(part, io.LimitReader(body, t.file.Bytes-at+1)) // one byte more is one too many
	at += n
	broken := (*fs.PathError)(nil)
	switch {
	case at > t.file.Bytes:
		return at, wrongFile{t.wrongSize(at)} // at least
	case errors.As(err, &broken): // the part cannot be written
		return at, err
	case err != nil:
		return at, passing(err)
	case at == t.file.Bytes:
		return at, nil
	case answer.ProtoMajor >= 2 || slices.Contains(answer.TransferEncoding, "chunked"):
		return at, wrongFile{t.wrongSize(at)} // the sender says that this was all
	}
	return at, passing(io.ErrUnexpectedEOF)
}

// meter shows how many bytes came, in kB.
type meter struct {
	*terminal.Progress
	bytes int
}

func newMeter(p *cli.Program, bytes int64) *meter {
	return &meter{Progress: p.Bar("kB", int(bytes/1000))}
}

func (m *meter) add(n int) {
	if m.bytes += n; m.bytes >= 1000 {
		m.At(m.bytes / 1000)
	}
}

type counter func(n int)

// Write implements [io.Writer].
func (c counter) Write(p []byte) (int, error) {
	c(len(p))
	return len(p), nil
}

// passing marks an error of the network after which another try may help.
func passing(err error) error {
	var name *net.DNSError
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.As(err, &certificate), errors.As(err, &name) && name.IsNotFound, errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = errors.New("the connection broke off")
	}
	return againError{error: err}
}

// contentRange reads a header such as "bytes 100-199/200". Total is -1 for an asterisk.
func contentRange(text string) (from, total int64, ok bool) {
	var to int64
	if n, _ := fmt.Sscanf(text, "bytes %d-%d/%d", &from, &to, &total); n == 3 {
		return from, total, true
	}
	if n, _ := fmt.Sscanf(text, "bytes %d-%d", &from, &to); n == 2 && strings.HasSuffix(text, "/*") {
		return from, -1, true
	}
	return 0, 0, false
}

func megabytes(bytes int64) string {
	if bytes < 100_000 {
		return fmt.Sprintf("%.1f kB", float64(bytes)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
}
