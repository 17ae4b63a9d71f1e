// Comma-separated values, as RFC 4180 has them.

/** A cell that a spreadsheet would take for a formula gets a quote mark in front. */
const calm = (cell: string): string => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell);

export function writeCSV(rows: (string | number)[][]): string {
  const quote = (value: string | number): string => {
    const cell = typeof value === "number" ? String(value) : calm(value);
    return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  };
  return rows.map((row) => row.map(quote).join(",") + "\r\n").join("");
}
