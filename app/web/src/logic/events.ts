// Server-sent events, read from a stream of text.

export interface ServerEvent {
  name: string;
  data: string;
}

/** events cuts a text into its whole events, and what has come of the next one. Comments, which keep a line open, are no events. */
export function events(text: string): { whole: ServerEvent[]; rest: string } {
  const parts = text.replaceAll("\r\n", "\n").split("\n\n");
  const rest = parts.pop() ?? "";
  const whole: ServerEvent[] = [];
  for (const part of parts) {
    const event: ServerEvent = { name: "message", data: "" };
    for (const line of part.split("\n")) {
      const [field, value] = [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).replace(/^ /, "")];
      if (field === "event") event.name = value;
      if (field === "data") event.data += (event.data && "\n") + value;
    }
    if (event.data) whole.push(event);
  }
  return { whole, rest };
}
