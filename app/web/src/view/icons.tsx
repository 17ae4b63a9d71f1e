// Icons: 20 px strokes in the colour of the text.
import { h, type JSX } from "preact";

const paths: Record<string, string> = {
  undo: "M7 5 3.5 8.5 7 12M4 8.5h8a4 4 0 0 1 0 8H9",
  redo: "m13 5 3.5 3.5L13 12m3-3.5H8a4 4 0 0 0 0 8h3",
  down: "m6 8 4 4 4-4",
  share: "M10 12.5V3.5m-3 2.7 3-2.7 3 2.7M4.5 10v6.5h11V10",
  help: "M7.8 7.8a2.2 2.2 0 1 1 3.2 2c-.7.4-1 .8-1 1.6m0 2.3v.1M17.2 10a7.2 7.2 0 1 1-14.4 0 7.2 7.2 0 0 1 14.4 0Z",
  moon: "M16 12.2A6.8 6.8 0 0 1 7.8 4a6.8 6.8 0 1 0 8.2 8.2Z",
  sun: "M13.2 10a3.2 3.2 0 1 1-6.4 0 3.2 3.2 0 0 1 6.4 0ZM10 2v1.8M10 16.2V18M2 10h1.8M16.2 10H18M4.3 4.3l1.3 1.3M14.4 14.4l1.3 1.3M4.3 15.7l1.3-1.3M14.4 5.6l1.3-1.3",
  search: "M13.5 9a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0Zm-1.2 3.3 4.2 4.2",
  close: "m5.5 5.5 9 9m0-9-9 9",
  plus: "M10 4v12M4 10h12",
  minus: "M4 10h12",
  more: "M4.5 10v.1M10 10v.1M15.5 10v.1",
};

export function Icon({ name }: { name: keyof typeof paths | string }): JSX.Element {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path d={paths[name]} fill="none" stroke="currentColor" stroke-width={name === "more" ? 2.4 : 1.5} stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}

/** Mark is the brand: a tie of three in ink, one above, one below in pencil. */
export function Mark(): JSX.Element {
  return (
    <svg class="mark" viewBox="0 0 22 22" width="22" height="22" aria-hidden="true">
      <rect class="beet" x="1" y="1" width="6" height="6" rx="1.5" />
      <rect class="inkFill" x="1" y="8.5" width="6" height="6" rx="1.5" />
      <rect class="inkFill" x="8.5" y="8.5" width="6" height="6" rx="1.5" />
      <rect class="inkFill" x="16" y="8.5" width="6" height="6" rx="1.5" />
      <rect class="pencilLine" x="1.75" y="16.75" width="4.5" height="4.5" rx="1" />
    </svg>
  );
}
