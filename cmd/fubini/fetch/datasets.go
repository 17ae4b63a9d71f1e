package fetch

import (
	"fmt"
	"strings"
)

// dataset is a public set of ratings: where its publisher keeps it, how to know
// that what came is right, and what its publisher asks.
type dataset struct {
	name    string
	ratings int
	licence string      // in a word, for --list
	terms   []string    // what one may do with it, in our words; a line each
	files   remoteFiles // one archive, NAME.zip, or the files of a folder
}

// remoteFile is a file at its publisher.
type remoteFile struct {
	Name   string `json:"name"` // here, once it is downloaded
	URL    string `json:"url,omitempty"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

type remoteFiles []remoteFile

// String implements [fmt.Stringer], for a cell of a table.
func (files remoteFiles) String() string {
	var parts []string
	for _, f := range files {
		parts = append(parts, fmt.Sprintf("%s %d %s", f.URL, f.Bytes, f.SHA256))
	}
	return strings.Join(parts, "; ")
}

// archive says whether the set comes as one zip file.
func (d *dataset) archive() bool {
	return len(d.files) == 1 && strings.HasSuffix(d.files[0].Name, ".zip")
}

func (d *dataset) bytes() (sum int64) {
	for _, f := range d.files {
		sum += f.Bytes
	}
	return sum
}

// datasets are the sets that fetch knows. The checksums, but for those of the last
// set, are pinned by others for the same address, in more than one place: no
// publisher gives a SHA-256, and no download was made here. In brackets, the
// MD5 that GroupLens itself publishes beside the file, as NAME.zip.md5, where a
// source holds it together with the SHA-256.
//
//   - ml-100k, ml-1m, ml-20m, ml-25m, ml-latest-small: size and SHA-256 in the
//     checksum list of TensorFlow Datasets (url_checksums/movielens.txt). Also, by
//     themselves: a Keras recommender example and SecretFlow (ml-1m), a project in
//     Julia (ml-20m, ml-latest-small), one in Rust (ml-25m), many (ml-100k).
//   - ml-10m: three projects on GitHub, one of which notes 65566137 bytes, the
//     SHA-256 and [ce571fd55effeba0271552578f2648bd] side by side.
//   - ml-32m: five projects on GitHub, two of which note 238950008 bytes; the size
//     and [d472be332d4daa821edc399621853b57] side by side in two more.
//   - movietweetings-100k: computed from a copy of the files that agrees with the
//     named commit of sidooms/MovieTweetings in length, in the last lines, and at
//     samples from the middle. A commit cannot change.
//
// The numbers of ratings and the terms are those of the sets' own README files,
// but for the terms of ml-10m, whose README was not at hand: it is taken to be as
// strict as those before and after it.
var datasets = []dataset{
	{
		name: "ml-100k", ratings: 100_000, licence: "research", terms: movieLensClosed,
		files: movieLens("ml-100k", 4_924_029, "50d2a982c66986937beb9ffb3aa76efe955bf3d5c6b761f4e3a7cd717c6a3229"),
	},
	{
		name: "ml-1m", ratings: 1_000_209, licence: "research", terms: movieLensClosed,
		files: movieLens("ml-1m", 5_917_549, "a6898adb50b9ca05aa231689da44c217cb524e7ebd39d264c56e2832f2c54e20"),
	},
	{
		name: "ml-10m", ratings: 10_000_054, licence: "research", terms: movieLensClosed,
		files: movieLens("ml-10m", 65_566_137, "813c411ccb6122564edfe752e7f80c4dcc5aa25fa94c93622f6877a7ba252862"),
	},
	{
		name: "ml-20m", ratings: 20_000_263, licence: "research", terms: movieLensClosed,
		files: movieLens("ml-20m", 198_702_078, "96f243c338a8665f6bcc89c53edf6ee39162a846940de6b7c8c48aeada765ff3"),
	},
	{
		name: "ml-25m", ratings: 25_000_095, licence: "research", terms: movieLensClosed,
		files: movieLens("ml-25m", 261_978_986, "8b21cfb7eb1706b4ec0aac894368d90acf26ebdfb6aced3ebd4ad5bd1eb9c6aa"),
	},
	{
		name: "ml-32m", ratings: 32_000_204, licence: "research", terms: movieLensOpen,
		files: movieLens("ml-32m", 238_950_008, "e4a68655d7386b8f95f2f2424b2ff975dfdd15ffd59e0d864a14dca43e99d6ee"),
	},
	{
		// A development set: GroupLens may replace it, and then it is refused here.
		name: "ml-latest-small", ratings: 100_836, licence: "research", terms: movieLensOpen,
		files: movieLens("ml-latest-small", 978_202, "696d65a3dfceac7c45750ad32df2c259311949efec81f0f144fdfb91ebc9e436"),
	},
	{
		name: "movietweetings-100k", ratings: 100_000, licence: "MIT",
		terms: []string{
			"MovieTweetings, the first 100,000 ratings, 0 to 10, by Simon Dooms: MIT licence.",
			"Any use, with the copyright notice kept. Please cite Dooms, De Pessemier and",
			"Martens, CrowdRec 2013.",
		},
		files: remoteFiles{
			movieTweetings("ratings.dat", 2_945_101, "c0dd868c2632d10002ebc928ddc5345f33adeaa59eca52c2941c26a2c5e36fd6"),
			movieTweetings("movies.dat", 542_192, "e63fb84bc734e3c574f135634a40d3cbafab22b8f94f5fc0b80f80d1d2076efc"),
		},
	},
}

// The terms of MovieLens differ in whether the data may be passed on.
var (
	movieLensClosed = movieLensTerms("Not to be passed on without permission.")
	movieLensOpen   = movieLensTerms("May be passed on under the same terms.")
)

func movieLensTerms(passingOn string) []string {
	return []string{
		"MovieLens, by GroupLens, University of Minnesota: for research; commercial use",
		"needs their permission. " + passingOn,
		"Please cite Harper and Konstan 2015, doi.org/10.1145/2827872.",
	}
}

func movieLens(name string, bytes int64, sum string) remoteFiles {
	return remoteFiles{{name + ".zip", "https://files.grouplens.org/datasets/movielens/" + name + ".zip", bytes, sum}}
}

func movieTweetings(name string, bytes int64, sum string) remoteFile {
	const folder = "https://raw.githubusercontent.com/sidooms/MovieTweetings/4d8280a3f1ea83e3e23f13d1710d19f43564274f/snapshots/100K/"
	return remoteFile{name, folder + name, bytes, sum}
}

func datasetNames(sets []dataset) (names []string) {
	for _, set := range sets {
		names = append(names, set.name)
	}
	return names
}
