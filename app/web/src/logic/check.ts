// The little that unit tests need. They run in the same browser as the page; unit_test.go reads the results.

export interface Result {
  name: string;
  error: string;
}

const tests: { name: string; run: () => void | Promise<void> }[] = [];

export const test = (name: string, run: () => void | Promise<void>): void => void tests.push({ name, run });

export function equal(got: unknown, want: unknown, about = ""): void {
  const [a, b] = [JSON.stringify(got), JSON.stringify(want)];
  if (a !== b) throw new Error(`${about} got ${a}, want ${b}`);
}

export function holds(truth: boolean, about: string): void {
  if (!truth) throw new Error(about);
}

/** fails wants an error with these words in it. */
export async function fails(run: () => unknown, words: string): Promise<void> {
  try {
    await run();
  } catch (error) {
    holds((error as Error).message.includes(words), `the error is "${(error as Error).message}", without "${words}"`);
    return;
  }
  throw new Error(`no error, want one with "${words}"`);
}

export async function runAll(): Promise<Result[]> {
  const results: Result[] = [];
  for (const { name, run } of tests) {
    let error = "";
    try {
      await run();
    } catch (e) {
      error = String((e as Error).stack ?? e);
    }
    results.push({ name, error });
  }
  return results;
}

/** dice gives numbers in [0, 1) that are the same each time. */
export function dice(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
