import { equal, test } from "./check";
import { fill } from "./still";

const row = [..."abcdefgh"];

test("what is taken is filled from beyond what is seen, and nothing else moves", () => {
  equal(fill(row, [..."abdefgh"], 5), [..."abfdegh"]);
  equal(fill(row, [..."bdefgh"], 5), [..."fbgdeh"]);
});

test("without anything beyond the row closes up", () => {
  equal(fill(row, [..."abdefgh"], 8), [..."abdefgh"]);
  equal(fill(row, [..."abcdefg"], 5), [..."abcdefg"]);
  equal(fill([..."abc"], [], 2), []);
});

test("what comes back stands before what follows it", () => {
  equal(fill([..."abfdegh"], row, 5), [..."abfcdegh"]);
  equal(fill([..."ab"], [..."abz"], 1), [..."abz"]);
});
