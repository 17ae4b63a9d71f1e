package web_test

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"
)

// wire is the little of a WebSocket (RFC 6455) that a conversation with a browser on this machine needs: texts, whole or
// in pieces.
type wire struct {
	net.Conn
	in *bufio.Reader
}

// dial opens a WebSocket, without an origin: browsers refuse those of pages.
func dial(address string) (*wire, error) {
	at, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	conn, err := net.Dial("tcp", at.Host)
	if err != nil {
		return nil, err
	}
	w := &wire{conn, bufio.NewReader(conn)}
	if _, err := fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n", at.Path, at.Host); err != nil {
		return nil, err
	}
	answer, err := http.ReadResponse(w.in, nil)
	if err != nil || answer.StatusCode != http.StatusSwitchingProtocols {
		return nil, fmt.Errorf("%s: %v %w", address, answer, err)
	}
	return w, nil
}

// send writes one text. Clients mask what they send; Firefox refuses a mask of zeros.
func (w *wire) send(text []byte) error {
	header := []byte{0x81}
	switch n := len(text); {
	case n < 126:
		header = append(header, 0x80|byte(n))
	case n < 1<<16:
		header = binary.BigEndian.AppendUint16(append(header, 0x80|126), uint16(n))
	default:
		header = binary.BigEndian.AppendUint64(append(header, 0x80|127), uint64(n))
	}
	mask := []byte{1, 2, 3, 4}
	frame := append(header, mask...)
	for i, b := range text {
		frame = append(frame, b^mask[i%4])
	}
	_, err := w.Write(frame)
	return err
}

// receive reads one text.
func (w *wire) receive(within time.Duration) (text []byte, err error) {
	if err := w.SetReadDeadline(time.Now().Add(within)); err != nil {
		return nil, err
	}
	for {
		var head [2]byte
		if _, err := io.ReadFull(w.in, head[:]); err != nil {
			return nil, err
		}
		n := uint64(head[1] & 0x7f)
		if n >= 126 {
			long := make([]byte, map[uint64]int{126: 2, 127: 8}[n])
			if _, err := io.ReadFull(w.in, long); err != nil {
				return nil, err
			}
			n = 0
			for _, b := range long {
				n = n<<8 | uint64(b)
			}
		}
		part := make([]byte, n)
		if _, err := io.ReadFull(w.in, part); err != nil {
			return nil, err
		}
		if kind := head[0] & 0xf; kind > 2 { // a ping or the like
			continue
		}
		if text = append(text, part...); head[0]&0x80 != 0 {
			return text, nil
		}
	}
}
