import { equal, test } from "./check";
import { dated, parted, plain, soft, titleOf } from "./names";
import { paperOf } from "./poster";

test("films are called as people call them", () => {
  for (const [name, title, year] of [
    ["Matrix, The (1999)", "The Matrix", "1999"],
    ["City of Lost Children, The (Cité des enfants perdus, La) (1995)", "The City of Lost Children", "1995"],
    ["Seven (a.k.a. Se7en) (1995)", "Seven", "1995"],
    ["Avventura, L' (a.k.a. Adventure, The) (1960)", "L'Avventura", "1960"],
    ["8 ½ (8½) (1963)", "8 ½", "1963"],
    ["Rain (2001)", "Rain", "2001"],
    ["(500) Days of Summer (2009)", "(500) Days of Summer", "2009"],
    ["Good, the Bad and the Ugly, The (1966)", "The Good, the Bad and the Ugly", "1966"],
  ] as const)
    equal(dated(name), { title, year });
  equal(dated("Noodles, cold"), { title: "Noodles, cold", year: "" });
  equal(titleOf({ name: "Heat", year: 1995 }, "1"), { title: "Heat", year: "1995" });
  equal(titleOf({ name: "Egg (2001)", emoji: "🥚" }, "egg"), { title: "Egg (2001)", year: "" });
  equal(titleOf(undefined, "x1"), { title: "x1", year: "" });
});

test("long words may break, and read the same", () => {
  const shown = (title: string): string => soft(title).replaceAll("\u00ad", "-");
  equal(shown("Casablanca"), "Casa-blanca");
  equal(shown("Goodfellas"), "Good-fel-las");
  equal(shown("Godfather"), "God-father");
  equal(shown("The Matrix"), "The Matrix");
  equal(shown("Muriel's Wedding"), "Muriel's Wed-ding");
  equal(shown("Mrs. Doubtfire"), "Mrs. Doubt-fire");
  equal(shown("The Birdcage"), "The Bird-cage");
  equal(shown("Cucumber"), "Cucum-ber");
  equal(shown("Star Trek Into Darkness"), "Star Trek Into Dark-ness");
  equal(shown("Brother"), "Brother"); // no place that leaves th together and three letters on each side
  equal(shown("Straw\u00adberries"), "Straw-berries");
  equal(shown("Groundhog Day"), "Ground-hog Day");
  for (const title of ["Intouchables", "Frankenweenie", "Groundhog Day", "Skyfall", "Ἀλέξανδρος"]) equal(plain(soft(title)), title);
});

test("one group decides the paper", () => {
  equal(paperOf({ groups: ["Drama", "Sci-Fi"] }), "scifi");
  equal(paperOf({ groups: ["Thriller"] }), "mystery");
  equal(paperOf({ group: "Drama" }), "drama");
  equal(paperOf({}), "");
  equal(paperOf({ group: "Fruit" }), paperOf({ group: "Fruit" }));
});

test("the number of a part is taken off the end of a long title", () => {
  for (const [title, stem, tail] of [
    ["Back to the Future Part II", "Back to the Future Part", " II"],
    ["Fast & Furious 6", "Fast & Furious", " 6"],
    ["Scary Movie 5", "Scary Movie", " 5"],
    ["Malcolm X", "Malcolm X", ""],
    ["Blade Runner 2049", "Blade Runner 2049", ""],
    ["The Godfather", "The Godfather", ""],
    ["Up", "Up", ""],
  ] as const)
    equal(parted(title), [stem, tail]);
});
