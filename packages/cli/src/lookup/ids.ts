import { formats } from '@runward/contract';
import { usage } from '../errors.ts';

/** Whether a text can be the id of a record. */
export const { isId } = formats;

/**
 * A run's id as it was typed.
 *
 * @throws CliError when it is none; a public id (RUN-…) is for display only
 */
export function runId(text: string): string {
  if (isId(text)) return text.toLowerCase();
  if (/^RUN-/i.test(text)) {
    throw usage(
      `${text} is the public id, which is for display only. Use the id: runward runs list --fields publicId,id`,
    );
  }
  throw usage(`"${text}" is no run id (a UUID). Find it with: runward runs list`);
}

/**
 * A webhook's id as it was typed.
 *
 * @throws CliError when it is none
 */
export function webhookId(text: string): string {
  if (isId(text)) return text.toLowerCase();
  throw usage(`"${text}" is no webhook id (a UUID). Find it with: runward webhooks list`);
}

/**
 * A delivery's id as it was typed.
 *
 * @throws CliError when it is none
 */
export function deliveryId(text: string): string {
  if (isId(text)) return text.toLowerCase();
  throw usage(`"${text}" is no delivery id (a UUID). Find it with: runward webhooks deliveries`);
}

/** The candidates that come close to a misspelt name: equal apart from case, or containing one another. */
export function similar(name: string, candidates: readonly string[]): string[] {
  const wanted = name.toLowerCase();
  return candidates
    .filter((candidate) => {
      const other = candidate.toLowerCase();
      return (
        other.includes(wanted) || wanted.includes(other) || distance(wanted, other) <= Math.max(1, wanted.length / 4)
      );
    })
    .slice(0, 5);
}

/** How many letters have to be put in, taken out or replaced to get from one word to the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let line = 0; line < one.length; line += 1) {
    const next = [line + 1];
    for (let column = 0; column < other.length; column += 1) {
      const replaced = (row[column] ?? 0) + (one[line] === other[column] ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
