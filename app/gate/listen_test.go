package gate

import (
	"net"
	"testing"
)

// dialled hands out connections from addresses, and then no more.
type dialled struct {
	net.Listener
	from []string
}

type visitor struct {
	net.Conn
	from   net.Addr
	closed *bool
}

func (v visitor) RemoteAddr() net.Addr { return v.from }
func (v visitor) Close() error         { *v.closed = true; return nil }

func (d *dialled) Accept() (net.Conn, error) {
	if len(d.from) == 0 {
		return nil, net.ErrClosed
	}
	address, err := net.ResolveTCPAddr("tcp", d.from[0])
	d.from = d.from[1:]
	return visitor{from: address, closed: new(bool)}, err
}

// A network of IPv6 is one client, whatever address in it a connection comes from.
func TestConnectionsAreCountedByNetwork(t *testing.T) {
	l := &listener{Listener: &dialled{from: []string{
		"[2001:db8::1]:1", "[2001:db8::2]:1", "[2001:db8::3]:1", "[2001:db8:0:0:ffff::1]:1", "[2001:db8:0:1::1]:1",
		"192.0.2.1:1", "192.0.2.2:1", "192.0.2.2:2", "192.0.2.2:3", "[::ffff:192.0.2.2]:4", "[fe80::1%lo]:1",
	}}, most: 100, each: 2, open: map[string]int{}}
	var served []net.Conn
	for {
		c, err := l.Accept()
		if err != nil {
			break
		}
		served = append(served, c)
	}
	want := map[string]int{"2001:db8::/64": 2, "2001:db8:0:1::/64": 1, "192.0.2.1": 1, "192.0.2.2": 2, "fe80::/64": 1}
	if len(served) != 7 || len(l.open) != len(want) {
		t.Errorf("%d connections: %v, want %v", len(served), l.open, want)
	}
	for name, n := range want {
		if l.open[name] != n {
			t.Errorf("%s has %d connections, want %d", name, l.open[name], n)
		}
	}
	for _, c := range served {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if l.all != 0 || len(l.open) != 0 {
		t.Errorf("left open: %d, %v", l.all, l.open)
	}
}
