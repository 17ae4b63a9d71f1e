// The choice of a world, where the server has several: foods or films.
import type { JSX } from "preact";

export function Worlds(): JSX.Element | null {
  return null;
}
