package serve

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"fubini/cmd/fubini/cli"
)

// checkServer asks the server at an address whether it is ready: images of containers have no other program for it.
func checkServer(ctx context.Context, p *cli.Program, address string) error {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	target := "http://" + reachable(address) + "/readyz"
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, target, http.NoBody)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 1000))
	if err != nil {
		return fmt.Errorf("%s: %w", target, err)
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s: %s", target, answer.Status, strings.TrimSpace(string(text)))
	}
	return p.Deliver(func(w *bufio.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// reachable is the address by which this machine reaches a server: one on all addresses is on loopback too.
func reachable(address string) string {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return address
	}
	ip, err := netip.ParseAddr(host)
	switch {
	case host == "", err == nil && ip.IsUnspecified() && ip.Is4():
		host = "127.0.0.1"
	case err == nil && ip.IsUnspecified():
		host = "::1"
	}
	return net.JoinHostPort(host, port)
}
