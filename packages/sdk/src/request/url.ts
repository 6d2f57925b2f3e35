import { RunwardError } from '../errors/errors.ts';
import type { QueryValues } from '../options.ts';

/** The parameter names of a path, in the order of the path. */
export function parameterNames(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
}

/**
 * Fills in the parameters of a contract path, in order and percent-encoded. Their case is kept.
 *
 * @throws RunwardError naming a parameter that is missing, empty or would change the path
 */
export function fillPath(operation: string, path: string, values: readonly unknown[]): string {
  return parameterNames(path).reduce((filled, name, index) => {
    const value = values[index];
    if (typeof value !== 'string' || value === '') {
      throw new RunwardError(`${operation}: argument ${index + 1} (\`${name}\`) must be a non-empty string.`);
    }
    // Encoding keeps dots, and URL resolves such a segment to another path.
    if (value === '.' || value === '..') throw new RunwardError(`${operation}: \`${name}\` must not be "${value}".`);
    return filled.replace(`:${name}`, () => encodeURIComponent(value));
  }, path);
}

/** The full URL of a path. Query values that are undefined or null are omitted; a date is written in ISO 8601. */
export function urlOf(baseUrl: string, path: string, query: QueryValues = {}): string {
  const url = new URL(baseUrl + path);
  // Programs without types pass more than the type allows.
  for (const [name, value] of Object.entries<QueryValues[string] | Date | null>(query)) {
    if (value != null) url.searchParams.append(name, value instanceof Date ? value.toISOString() : String(value));
  }
  return url.href;
}
