import { createHash } from 'node:crypto';
import {
  hashBeforeFirst,
  hashOf,
  verifyChain,
  type ActivityLine,
  type ChainHead,
  type HashedLine,
} from '@runward/engine';
import test from 'ava';
import * as fc from 'fast-check';

function lineAt(sequence: number, data: Record<string, unknown> = { title: `Title ${sequence}` }): ActivityLine {
  const actor = { type: 'USER' as const, userId: 'ada', apiKeyId: null };
  const at = '2026-03-02T09:00:00.000Z';
  return { id: `line-${sequence}`, sequence, type: 'run.renamed', at, actor, runTaskId: null, data };
}

function chained(lines: readonly ActivityLine[]): HashedLine[] {
  let hash = hashBeforeFirst;
  return lines.map((line) => {
    hash = hashOf(hash, line);
    return { ...line, hash };
  });
}

const chainOf = (length: number) => chained(Array.from({ length }, (_, index) => lineAt(index + 1)));
const headOf = (lines: readonly HashedLine[]): ChainHead => ({
  count: lines.length,
  hash: lines.at(-1)?.hash ?? hashBeforeFirst,
});

test('the hash of a line is the SHA-256 of the hash before it, a line feed and the line in canonical JSON', (t) => {
  const text =
    '{"actor":{"apiKeyId":null,"type":"USER","userId":"ada"},"at":"2026-03-02T09:00:00.000Z","data":{"a":"é","b":0.1},' +
    '"id":"line-1","runTaskId":null,"sequence":1,"type":"run.renamed"}';
  const expected = createHash('sha256')
    .update(`${'0'.repeat(64)}\n${text}`)
    .digest('hex');
  t.is(hashOf(hashBeforeFirst, lineAt(1, { b: 0.1, a: 'é' })), expected);
});

test('an unchanged chain has no problem', (t) => {
  for (const length of [0, 1, 5]) t.is(verifyChain(chainOf(length), headOf(chainOf(length))), null);
});

/** Changes to one line by somebody who does not recompute the later hashes; `at` counts from 0. */
const mutations = {
  content: (lines, at) => lines.with(at, { ...lineOf(lines, at), type: 'run.cancelled' }),
  data: (lines, at) => lines.with(at, { ...lineOf(lines, at), data: { title: 'Another' } }),
  member: (lines, at) => lines.with(at, { ...lineOf(lines, at), more: null } as HashedLine),
  hash: (lines, at) => lines.with(at, { ...lineOf(lines, at), hash: 'f'.repeat(64) }),
  sequence: (lines, at, other) => lines.with(at, { ...lineOf(lines, at), sequence: other + 1 }),
  rewritten: (lines, at) => lines.with(at, rewritten(lines, at, lineAt(at + 1, { title: 'Another' }))),
} satisfies Record<string, Mutation>;

type Mutation = (lines: HashedLine[], at: number, other: number) => HashedLine[];

const lineOf = (lines: readonly HashedLine[], at: number) => lines[at] as HashedLine;

/** A line with a hash that fits the line before. */
function rewritten(lines: readonly HashedLine[], at: number, line: ActivityLine): HashedLine {
  return { ...line, hash: hashOf(lines[at - 1]?.hash ?? hashBeforeFirst, line) };
}

const places = fc
  .integer({ min: 1, max: 8 })
  .chain((length) => fc.tuple(fc.constant(length), fc.nat(length - 1), fc.nat(length - 1)));

test('a changed line is found and named', (t) => {
  fc.assert(
    fc.property(places, fc.constantFrom(...Object.keys(mutations)), ([length, at, other], name) => {
      const lines = chainOf(length);
      const mutated = mutations[name as keyof typeof mutations]([...lines], at, other);
      fc.pre(name !== 'sequence' || at !== other);
      const problem = verifyChain(mutated, headOf(lines));
      // A line rewritten together with its own hash is consistent in itself. The next line reveals it.
      const isConsistent = name === 'rewritten' && at + 1 < length;
      t.like(problem, { line: isConsistent ? at + 2 : at + 1, kind: 'CHANGED' }, name);
    }),
    { numRuns: 300 },
  );
});

test('a removed line is found and named, also at the end', (t) => {
  fc.assert(
    fc.property(places, ([length, at]) => {
      const lines = chainOf(length);
      t.like(verifyChain(lines.toSpliced(at, 1), headOf(lines)), { line: at + 1, kind: 'REMOVED' });
      t.like(verifyChain(lines.slice(0, at), headOf(lines)), { line: at + 1, kind: 'REMOVED' });
    }),
  );
});

test('an inserted line is found and named: a copy, a new line, and one with a fitting hash', (t) => {
  fc.assert(
    fc.property(places, ([length, at, other]) => {
      const lines = chainOf(length);
      const inserted = (line: HashedLine) => verifyChain(lines.toSpliced(at, 0, line), headOf(lines));
      const copy = lineOf(lines, other);
      // A copy directly before its original cannot be told from it.
      t.like(inserted(copy), { line: at === other ? at + 2 : at + 1, kind: 'INSERTED' });
      t.like(inserted({ ...lineAt(at + 1, {}), hash: 'f'.repeat(64) }), { line: at + 1, kind: 'INSERTED' });
      t.like(inserted({ ...lineAt(99), hash: 'f'.repeat(64) }), { line: at + 1, kind: 'INSERTED' });
      t.like(inserted(rewritten(lines, at, lineAt(at + 1, {}))), { line: at + 2, kind: 'INSERTED' });
    }),
  );
});

test('the first line that stands at another place is found and named', (t) => {
  fc.assert(
    fc.property(places, ([length, one, other]) => {
      fc.pre(one !== other);
      const lines = chainOf(length);
      const swapped = lines.with(one, lineOf(lines, other)).with(other, lineOf(lines, one));
      t.like(verifyChain(swapped, headOf(lines)), { line: Math.min(one, other) + 1, kind: 'REORDERED' });
    }),
  );
});

test('lines that were changed together with all hashes after them differ from the head', (t) => {
  const lines = chainOf(3);
  const forged = chained([lineAt(1), lineAt(2, { title: 'Forged' }), lineAt(3)]);
  t.is(verifyChain(forged, headOf(forged)), null);
  t.like(verifyChain(forged, headOf(lines)), { line: 3, kind: 'CHANGED' });
  t.like(verifyChain(lines, { ...headOf(lines), count: 2 }), { line: 3, kind: 'INSERTED' });
});
