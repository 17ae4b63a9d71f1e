// Package store keeps what the server must not forget: saved tier lists, API
// keys, training jobs and the log of what admins did.
//
// [Open] takes an address and returns a [Store]:
//
//	sqlite:fubini.db                   one file beside the program, the default
//	sqlite::memory:                    gone with the process, for tests and demonstrations
//	postgres://user@host/database      a PostgreSQL server
//
// Behind the interface stands one implementation on database/sql. SQLite and PostgreSQL differ in how they are
// opened, in a few words of SQL and in how their errors are told apart: sqlite.go and postgres.go hold all of it. One
// contract suite runs against both.
//
// What a method has acknowledged is on the disk: SQLite runs with a write-ahead log and synchronous=FULL, PostgreSQL
// with its own default. Errors are of few kinds ([ErrNotFound], [ErrConflict], [ErrForbidden], [ErrInvalid],
// [ErrUnavailable]), and a store that answered ErrUnavailable works again once its database does, without being
// opened anew.
//
// The tables are made by numbered migrations, which only ever go forward. [Store.Backup] writes everything in one
// portable form while the server goes on, and [Store.Restore] reads it into an empty store of either kind, so that a
// backup is also the way from SQLite to PostgreSQL.
package store
