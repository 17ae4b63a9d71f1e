// Just enough of the zip format to read the text files of an export.

export interface ZipFile {
  name: string;
  text: string;
}

/** Nothing that opens to more than this is read. */
export const limit = 50_000_000;

const bad = (what: string): Error => new Error(`this zip cannot be read: ${what}; make the export again`);

/** unzip reads the files whose name passes `want`. */
export async function unzip(data: ArrayBuffer, want: (name: string) => boolean): Promise<ZipFile[]> {
  const view = new DataView(data);
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  const files: ZipFile[] = [];
  let left = limit;
  for (let i = 0; i < count; i++) {
    if (at + 46 > data.byteLength || view.getUint32(at, true) !== 0x02014b50) throw bad("its table of contents is broken");
    const method = view.getUint16(at + 10, true);
    const size = view.getUint32(at + 20, true);
    const lengths = [28, 30, 32].map((o) => view.getUint16(at + o, true));
    const local = view.getUint32(at + 42, true);
    const sum = view.getUint32(at + 16, true);
    const name = new TextDecoder().decode(new Uint8Array(data, at + 46, Math.min(lengths[0], data.byteLength - at - 46)));
    at += 46 + lengths[0] + lengths[1] + lengths[2];
    if (!want(name)) continue;
    if (local + 30 > data.byteLength || view.getUint32(local, true) !== 0x04034b50) throw bad(`${name} is not where it should be`);
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    if (start + size > data.byteLength) throw bad(`${name} is cut off`);
    const bytes = await open(new Uint8Array(data, start, size), method, name, left);
    if (crc32(bytes) !== sum) throw bad(`${name} is damaged`);
    left -= bytes.length;
    files.push({ name, text: new TextDecoder().decode(bytes) });
  }
  return files;
}

/** crc32 is the checksum that a zip keeps of each file. */
export function crc32(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let k = 0; k < 8; k++) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  }
  return ~crc >>> 0;
}

function findEnd(view: DataView): number {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 65_557); at--)
    if (view.getUint32(at, true) === 0x06054b50) return at;
  throw bad("it has no table of contents");
}

async function open(packed: Uint8Array<ArrayBuffer>, method: number, name: string, left: number): Promise<Uint8Array> {
  if (method === 0) return packed;
  if (method !== 8) throw bad(`${name} is packed by method ${method}, and only 0 and 8 are known`);
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw bad(`${name} is damaged`);
    });
    if (done) break;
    size += value.length;
    if (size > left) {
      void reader.cancel();
      throw new Error(`${name} opens to more than ${limit / 1e6} MB; that is no list`);
    }
    chunks.push(value);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
