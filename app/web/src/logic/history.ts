// Undo and redo: whole lists, which share what did not change, at most 200 back.
import type { List } from "../types";

export const depth = 200;

export interface Step {
  list: List; // as it was before the act, or after it when it waits for redo
  label: string; // what the act did, for "Undone: …"
  back: string; // what taking it back does
}

export interface History {
  past: Step[];
  future: Step[];
}

export const noHistory: History = { past: [], future: [] };

export function remember(history: History, before: List, label: string, back: string): History {
  return { past: [...history.past, { list: before, label, back }].slice(-depth), future: [] };
}

export function undo(history: History, now: List): { history: History; list: List; step: Step } | null {
  const step = history.past.at(-1);
  if (!step) return null;
  return {
    history: { past: history.past.slice(0, -1), future: [...history.future, { ...step, list: now }] },
    list: step.list,
    step,
  };
}

export function redo(history: History, now: List): { history: History; list: List; step: Step } | null {
  const step = history.future.at(-1);
  if (!step) return null;
  return {
    history: { past: [...history.past, { ...step, list: now }].slice(-depth), future: history.future.slice(0, -1) },
    list: step.list,
    step,
  };
}
