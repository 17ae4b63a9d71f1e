// All unit tests in one bundle.
import "./odds.test";
import "./halves.test";
import "./list.test";
import "./still.test";
import "./names.test";
import "./files.test";
import "./events.test";
import "./board.test";
import "./mapview.test";
import "./together.test";
import "../view/charts.test";
import { runAll } from "./check";

(window as unknown as { unitTests: typeof runAll }).unitTests = runAll;
