import test from 'ava';
import { maxBodyBytes, readBody } from '../src/raw-body.ts';

const chunkBytes = 2 ** 16;

test('a body within the limit is read completely', async (t) => {
  const source = chunks(maxBodyBytes / chunkBytes);
  const body = await readBody(source.stream());
  t.is(body.byteLength, maxBodyBytes);
  t.deepEqual([body[0], body[chunkBytes], body.at(-1)], [1, 2, 16]);
});

test('a body beyond the limit is read, but kept only up to one chunk beyond it', async (t) => {
  const source = chunks(5 * (maxBodyBytes / chunkBytes));
  const body = await readBody(source.stream());
  t.is(body.byteLength, maxBodyBytes + chunkBytes);
  t.is(source.sent(), 5 * maxBodyBytes);
});

test('reading stops beyond 16 times the limit', async (t) => {
  const source = chunks(Infinity);
  await readBody(source.stream());
  t.is(source.sent(), 16 * maxBodyBytes + chunkBytes);
});

function chunks(count: number) {
  let sent = 0;
  async function* stream(): AsyncGenerator<Uint8Array> {
    for (let i = 1; i <= count; i += 1) {
      sent += chunkBytes;
      yield new Uint8Array(chunkBytes).fill(i);
    }
  }
  return { stream, sent: () => sent };
}
