import type { Display } from '@runward/engine';

/** Shows ids instead of names, and times unchanged. */
export const plain: Display = { nameOf: (id) => id, date: (date) => date, dateTime: (at) => at };
