// Package titles finds the items of a catalogue by their titles, however these are spelled.
//
// An [Index] holds the names of a catalogue: films as MovieLens writes them ("Matrix, The (1999)", "Seven (a.k.a. Se7en)
// (1995)"), or names of any kind. [Index.Find] looks a [Query] up in three steps and says in the [Match] by which one the
// item was found:
//
//   - the same name, byte by byte (Exact), or the same title up to case, accents, punctuation, the place of an article and
//     the way of writing numbers (Folded);
//   - another title of the item: one in brackets, or the part before or behind a colon (Alternative);
//   - a title that is close: a few letters differ, or words are missing (Guess, with a score).
//
// The year of a film counts in each step: of two films of one title it chooses, and a film of another year is not found.
// What two items fit equally well is Ambiguous. A title that says less than the name (no year and no article, the first
// word of a longer one) is never more than a Guess.
package titles
