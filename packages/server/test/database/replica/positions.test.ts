import test from 'ava';
import { positionOf, rememberPositions } from '../../../src/database/replica/positions.ts';

test('a position is a number of bytes', (t) => {
  t.is(positionOf('0/0'), 0n);
  t.is(positionOf('0/1511B38'), 0x1511b38n);
  t.is(positionOf('16/B374D848'), 0x16b374d848n);
});

test('a replica that has reached the last position has no lag, however long ago that was', (t) => {
  const positions = rememberPositions();
  for (const at of [0, 1_000, 2_000]) positions.note(at, 10n);
  t.is(positions.lagOf(10n, 60_000), 0);
  t.is(positions.lagOf(11n, 60_000), 0);
});

test('the lag is the time since the first position that the replica lacks, and the age since the last that it has', (t) => {
  const positions = rememberPositions();
  positions.note(0, 10n);
  positions.note(1_000, 10n);
  positions.note(2_000, 20n);
  positions.note(3_000, 30n);
  t.is(positions.lagOf(10n, 4_000), 2_000);
  t.is(positions.ageOf(10n, 4_000), 3_000);
  t.is(positions.lagOf(25n, 4_000), 1_000);
  t.is(positions.ageOf(25n, 4_000), 2_000);
  t.is(positions.ageOf(30n, 4_000), 1_000);
});

test('the age of a state before the first known position is unknown', (t) => {
  const positions = rememberPositions();
  t.is(positions.ageOf(9n, 0), Infinity);
  positions.note(0, 10n);
  t.is(positions.ageOf(9n, 1_000), Infinity);
  t.is(positions.lagOf(9n, 1_000), 1_000);
});

test('positions of a former primary that the present one has not reached do not count', (t) => {
  const positions = rememberPositions();
  positions.note(0, 10n);
  positions.note(1_000, 30n);
  positions.note(2_000, 20n);
  t.is(positions.lagOf(20n, 3_000), 0);
  t.is(positions.ageOf(20n, 3_000), 1_000);
});

test('a lag is at most an hour, and is forgotten no earlier', (t) => {
  const positions = rememberPositions();
  for (let second = 0; second < 5_000; second += 1) positions.note(second * 1_000, BigInt(second + 1));
  t.is(positions.lagOf(0n, 5_000_000), 3_600_000);
  t.is(positions.lagOf(4_990n, 5_000_000), 10_000);
});
