// Package catalogue reads files about items: names, years, groups, pictures, links, and ids in other catalogues.
//
// A file is one of
//
//	movies.dat   of MovieLens and MovieTweetings: 1::Toy Story (1995)::Animation|Comedy
//	u.item       of MovieLens 100K: 1|Toy Story (1995)|01-Jan-1995||http://…|0|0|0|1|…
//	CSV          with a header: item (or movieId, id), and any of title (or name), year, genres (or groups), picture, link, and ids
//	             elsewhere: imdb, tmdb, isbn, mal, bgg (or imdbId, tmdb_id and the like), and titles, more titles with | between
//	JSON lines   with the same keys; genres and titles may be lists
//
// Several files about the same items add up: MovieLens has titles in movies.csv and ids in links.csv.
package catalogue
