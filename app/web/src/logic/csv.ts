// Comma-separated values, as RFC 4180 has them, with the line each row began on.

export interface Row {
  line: number;
  cells: string[];
}

/** readCSV takes commas, semicolons or tabs, whichever the first line has most of, and quotes around anything. */
export function readCSV(text: string): Row[] {
  const source = text.replace(/^\ufeff/, "");
  const first = source.slice(0, source.search(/[\r\n]|$/));
  const count = (mark: string): number => first.split(mark).length;
  const comma = [",", ";", "\t"].sort((a, b) => count(b) - count(a))[0];
  const rows: Row[] = [];
  let line = 1;
  let row: Row = { line, cells: [] };
  let cell = "";
  let quoted = false;
  let wasQuoted = false;
  const endCell = (): void => {
    row.cells.push(wasQuoted ? cell : cell.trim());
    cell = "";
    wasQuoted = false;
  };
  const endRow = (): void => {
    endCell();
    if (row.cells.length > 1 || row.cells[0] !== "") rows.push(row);
    row = { line, cells: [] };
  };
  for (let i = 0; i < source.length; i++) {
    const c = source[i];
    if (quoted) {
      if (c === '"' && source[i + 1] === '"') cell += source[i++];
      else if (c === '"') quoted = false;
      else {
        cell += c;
        if (c === "\n") line++;
      }
    } else if (c === '"' && cell.trim() === "") {
      quoted = wasQuoted = true;
      cell = "";
    } else if (c === comma) endCell();
    else if (c === "\n" || c === "\r") {
      if (c === "\r" && source[i + 1] === "\n") i++;
      line++;
      endRow();
      row.line = line;
    } else cell += c;
  }
  if (quoted) throw new Error(`line ${row.line}: a quote is opened and never closed; put a closing " after the text`);
  if (cell !== "" || row.cells.length > 0) endRow();
  return rows;
}

/** A cell that a spreadsheet would take for a formula gets a quote mark in front. */
const calm = (cell: string): string => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell);

export function writeCSV(rows: (string | number)[][]): string {
  const quote = (value: string | number): string => {
    const cell = typeof value === "number" ? String(value) : calm(value);
    return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  };
  return rows.map((row) => row.map(quote).join(",") + "\r\n").join("");
}

/** uncalm takes that quote mark off again. */
export const uncalm = (cell: string): string => (/^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell);
