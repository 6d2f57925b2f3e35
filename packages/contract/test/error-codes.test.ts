import { errorCodes, errorNames } from '@runward/contract';
import test from 'ava';

test('every code is in lower snake case, besides the one of the specification, and has a known status', (t) => {
  for (const [code, { status }] of Object.entries(errorCodes)) {
    if (code !== 'FEATURE_LOCKED') t.regex(code, /^[a-z]+(_[a-z]+)*$/);
    t.true(status in errorNames, code);
  }
});

test('every status has a code', (t) => {
  const statuses = new Set<number>(Object.values(errorCodes).map(({ status }) => status));
  t.deepEqual(
    Object.keys(errorNames).filter((status) => !statuses.has(Number(status))),
    [],
  );
});

test('the cause and the remedy of every code are sentences', (t) => {
  for (const [code, { cause, remedy }] of Object.entries(errorCodes)) {
    for (const text of [cause, remedy]) t.regex(text, /^[A-Z][^|]+\.$/, code);
  }
});
