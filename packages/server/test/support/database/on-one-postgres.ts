import { cellsVariable } from '@runward/testing/database';
import test from 'ava';

/** For tests that look at the locks, plans or processes of PostgreSQL. With Citus, these are on another machine. */
export const onOnePostgres = process.env[cellsVariable] === 'true' ? test.serial.skip : test.serial;
