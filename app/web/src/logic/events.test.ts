import { equal, test } from "./check";
import { events, type ServerEvent } from "./events";

test("events are the same however the stream is cut", () => {
  const text = ': still here\n\nevent: progress\ndata: {"epoch":1}\n\n: still here\n\nevent: end\r\ndata: {\ndata: }\r\n\r\ndata: bare\n\nevent: half';
  const want: ServerEvent[] = [{ name: "progress", data: '{"epoch":1}' }, { name: "end", data: "{\n}" }, { name: "message", data: "bare" }];
  for (let size = 1; size <= text.length; size++) {
    let rest = "";
    const got: ServerEvent[] = [];
    for (let at = 0; at < text.length; at += size) {
      const found = events(rest + text.slice(at, at + size));
      got.push(...found.whole);
      rest = found.rest;
    }
    equal(got, want, `in pieces of ${size}`);
    equal(rest.trim(), "event: half");
  }
});
