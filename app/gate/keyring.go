package gate

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"time"

	"fubini/app/store"
)

// A key that was good is taken to be good for a moment (Limits.KeyFresh), to spare the store, and for keyStale
// while the store does not answer. Meanwhile one request in keyRetry waits for the store, for keyWait.
const (
	keyStale  = 10 * time.Minute
	keyWait   = 300 * time.Millisecond
	keyRetry  = 2 * time.Second
	mostKnown = 1000
)

// Authenticator looks up the API key of a token; [store.Store] is one.
type Authenticator interface {
	Authenticate(ctx context.Context, token string) (store.Key, error)
}

// keyring remembers keys that were shown lately, under the hash of their token.
type keyring struct {
	store    Authenticator // nil where no key is good
	patience time.Duration // for an answer of the store

	mutex sync.Mutex
	known map[[sha256.Size]byte]*knownKey
}

type knownKey struct {
	key    store.Key
	seen   time.Time
	tried  time.Time // when the store was last asked in vain
	asking bool      // it is being asked
}

// get is what is known of a key: it was never seen if nothing is.
func (k *keyring) get(sum [sha256.Size]byte) (known knownKey) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if k.known[sum] != nil {
		known = *k.known[sum]
	}
	return known
}

// lookUp finds the key of a token in the store, and remembers the answer. A panic of the store is an error: nobody
// further up is there to meet it when a key is refreshed.
func (k *keyring) lookUp(ctx context.Context, token string, sum [sha256.Size]byte) (key store.Key, err error) {
	if k.store == nil {
		return store.Key{}, store.ErrForbidden
	}
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%w: it panicked: %v", store.ErrUnavailable, fault)
		}
		k.mutex.Lock()
		defer k.mutex.Unlock()
		switch known := k.known[sum]; {
		case err == nil:
			if len(k.known) >= mostKnown { // keys are few; start anew rather than keep order
				clear(k.known)
			}
			k.known[sum] = &knownKey{key: key, seen: time.Now()}
		case errors.Is(err, store.ErrForbidden):
			delete(k.known, sum)
		case known != nil:
			known.asking, known.tried = false, time.Now()
		}
	}()
	return k.store.Authenticate(ctx, token)
}

// turn reports whether the store should be asked again now of a key that is known. Whoever has the turn looks it up.
func (k *keyring) turn(sum [sha256.Size]byte) bool {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	known := k.known[sum]
	mine := known != nil && !known.asking && time.Since(known.tried) >= keyRetry
	if mine {
		known.asking = true
	}
	return mine
}

// refresh asks the store again of a key that was good a while ago. One request at a time does so, and waits but a
// moment: a store that hangs must not hold up those who need nothing else of it. Its answer counts even if it
// comes later.
func (k *keyring) refresh(ctx context.Context, token string, sum [sha256.Size]byte, known store.Key) (store.Key, error) {
	if !k.turn(sum) {
		return known, nil
	}
	var key store.Key
	var err error
	found := make(chan struct{})
	go func() {
		defer close(found)
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), k.patience)
		defer cancel()
		key, err = k.lookUp(ctx, token, sum)
	}()
	select {
	case <-found:
		if err == nil || errors.Is(err, store.ErrForbidden) {
			return key, err
		}
	case <-time.After(keyWait):
	case <-ctx.Done():
	}
	return known, nil
}

// stillGood looks a key up again for a request that lasts. A store that does not answer changes nothing, until the
// key is stale.
func (k *keyring) stillGood(ctx context.Context, token string, sum [sha256.Size]byte, key store.Key) bool {
	if !key.Good(time.Now()) {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, k.patience)
	defer cancel()
	_, err := k.lookUp(ctx, token, sum)
	if err == nil || errors.Is(err, store.ErrForbidden) {
		return err == nil
	}
	return time.Since(k.get(sum).seen) <= keyStale
}
