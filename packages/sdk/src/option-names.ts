import { RunwardError } from './errors/errors.ts';
import type { ClientOptions } from './options.ts';

// An object, so that the compiler reports a missing option.
const known: Readonly<Record<keyof ClientOptions, true>> = {
  apiKey: true,
  baseUrl: true,
  timeoutMs: true,
  maxRetries: true,
  maxRetryAfterSeconds: true,
  idempotencyKeys: true,
  fetch: true,
  hooks: true,
  appInfo: true,
};

/**
 * Checks the names of client options.
 *
 * @throws RunwardError naming an unknown option, and the option that resembles it most
 */
export function checkNames(options: ClientOptions): void {
  const names = Object.keys(known);
  for (const given of Object.keys(options)) {
    if (names.includes(given)) continue;
    const [nearest = ''] = names.toSorted((a, b) => distance(given, a) - distance(given, b));
    throw new RunwardError(
      `\`${given}\` is not an option of createClient; did you mean \`${nearest}\`? The options are ${names.join(', ')}.`,
    );
  }
}

/** The edit distance between two names, ignoring case. */
function distance(a: string, b: string): number {
  const [from, to] = [a.toLowerCase(), b.toLowerCase()];
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let line = 1; line <= from.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= to.length; column += 1) {
      const [above = 0, left = 0, diagonal = 0] = [row[column], next[column - 1], row[column - 1]];
      const replaced = diagonal + (from[line - 1] === to[column - 1] ? 0 : 1);
      next.push(Math.min(above + 1, left + 1, replaced));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
