import { edits } from './edits.ts';
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
    const distance = (name: string) => edits(given.toLowerCase(), name.toLowerCase());
    const [nearest = ''] = names.toSorted((a, b) => distance(a) - distance(b));
    throw new RunwardError(
      `\`${given}\` is not an option of createClient; did you mean \`${nearest}\`? The options are ${names.join(', ')}.`,
    );
  }
}
