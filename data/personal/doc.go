// Package personal reads what people bring with them: exports of their accounts elsewhere, tier lists and lists in plain
// text, and any file of ratings. The form of a file is found out from its content.
//
// A [Form] is one of
//
//	letterboxd   ratings.csv, watched.csv or diary.csv, or the zip or folder of an export (half stars, 0.5 to 5)
//	imdb         ratings as CSV: Const, Your Rating, Date Rated, Title, Year (1 to 10)
//	goodreads    library as CSV: Book Id, Title, My Rating, Exclusive Shelf (1 to 5; 0 is no rating)
//	storygraph   library as CSV: Title, ISBN/UID, Read Status, Star Rating (0.25 to 5)
//	myanimelist  anime or manga list as XML: series_animedb_id, series_title, my_score (1 to 10; 0 is no rating)
//	anilist      answer of its API as JSON: lists of entries with score and media (scales of 3, 5, 10 and 100)
//	bgg          collection from BoardGameGeek, as CSV or XML: objectname, objectid, rating (1 to 10; 0 and N/A are no rating)
//	trakt        ratings-*.json and watched-*.json, one or a folder or zip of them (1 to 10)
//	movielens    ratings from movielens.org as CSV: movie_id, imdb_id, tmdb_id, rating, title (0.5 to 5)
//	table        a table of one person: item, name or title, with rating or tier
//	tiers        tiers in plain text: "S: Alien, Heat", or a line "S" with names below it
//	rated        names in plain text with a rating behind each: "Alien 9/10"
//	list         names in plain text, one a line, the best first
//
// and otherwise a format of package [fubini/data/format], whose users are the people.
//
// Nothing is left out in silence: an [Export] counts what was read, and what was skipped with the line and the reason.
// Memory is bounded by limits on bytes, records and names, and neither XML entities nor archives grow beyond them.
package personal
