// Work that can wait until what was changed has been seen.

/** afterPaint calls back once the next frame has been handed over to be drawn. */
export function afterPaint(call: () => void): void {
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      call();
    };
    port2.postMessage(null); // unlike a timer it waits for nothing but the frame
  });
}

/** soon makes something that is done once after the next paint, however often it is asked for until then. */
export function soon(call: () => void): () => void {
  let due = false;
  return () => {
    if (due) return;
    due = true;
    afterPaint(() => {
      due = false;
      call();
    });
  };
}

/** wellAfterPaint calls back when whatever else waited for that frame has had its turn: for work that nobody waits for. */
export const wellAfterPaint = (call: () => void): void => afterPaint(() => void setTimeout(call));
