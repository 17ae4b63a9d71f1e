package gate

import (
	"net"
	"net/http"
	"testing"
)

// visitor is a connection from an address.
type visitor struct {
	net.Conn
	from   net.Addr
	closed *bool
}

func (v visitor) RemoteAddr() net.Addr { return v.from }
func (v visitor) Close() error         { *v.closed = true; return nil }

// A network of IPv6 is one client, whatever address in it a connection comes from. One that is refused is not counted,
// and those that end leave nothing behind.
func TestConnectionsAreCountedByNetwork(t *testing.T) {
	open := &connections{each: 2, client: map[net.Conn]string{}, open: map[string]int{}}
	var all, served []visitor
	for _, from := range []string{
		"[2001:db8::1]:1", "[2001:db8::2]:1", "[2001:db8::3]:1", "[2001:db8:0:0:ffff::1]:1", "[2001:db8:0:1::1]:1",
		"192.0.2.1:1", "192.0.2.2:1", "192.0.2.2:2", "192.0.2.2:3", "[::ffff:192.0.2.2]:4", "[fe80::1%lo]:1",
	} {
		address, err := net.ResolveTCPAddr("tcp", from)
		if err != nil {
			t.Fatal(err)
		}
		c := visitor{from: address, closed: new(bool)}
		open.note(c, http.StateNew)
		open.note(c, http.StateActive)
		if all = append(all, c); !*c.closed {
			served = append(served, c)
		}
	}
	want := map[string]int{"2001:db8::/64": 2, "2001:db8:0:1::/64": 1, "192.0.2.1": 1, "192.0.2.2": 2, "fe80::/64": 1}
	if len(served) != 7 || len(open.client) != 7 || len(open.open) != len(want) {
		t.Errorf("%d connections: %v, want %v", len(served), open.open, want)
	}
	for name, n := range want {
		if open.open[name] != n {
			t.Errorf("%s has %d connections, want %d", name, open.open[name], n)
		}
	}
	for _, c := range all {
		open.note(c, http.StateClosed)
	}
	if len(open.client) != 0 || len(open.open) != 0 {
		t.Errorf("left open: %v", open.open)
	}
}

// From any number of addresses, no more connections are served than the limit on all of them.
func TestConnectionsAreCountedTogether(t *testing.T) {
	open := &connections{each: 2, client: map[net.Conn]string{}, open: map[string]int{}}
	for k := range mostConnections + 1 {
		c := visitor{from: &net.TCPAddr{IP: net.IPv4(10, 0, byte(k>>8), byte(k)), Port: 1}, closed: new(bool)}
		if open.note(c, http.StateNew); *c.closed != (k == mostConnections) {
			t.Fatalf("connection %d closed: %t", k, *c.closed)
		}
	}
}
