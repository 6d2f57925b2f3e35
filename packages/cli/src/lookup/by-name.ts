import { notFound, usage } from '../errors.ts';
import { similar } from './similar.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

/**
 * The record that has exactly this name. `kind` and `list` are what messages call it and the request that lists all of them.
 *
 * @throws CliError if no record has the name, or several have it
 */
export function byName<Record extends Named>(
  records: readonly Record[],
  name: string,
  { kind, list }: { readonly kind: string; readonly list: string },
): Record {
  const [found, ...others] = records.filter((record) => record.name === name.trim());
  if (found && others.length === 0) return found;
  if (found) {
    throw usage(`Several ${kind}s are named "${name}"; use an ID:`, ...[found, ...others].map(({ id }) => id));
  }
  const names = similar(
    name,
    records.map((record) => record.name),
  );
  const hint = names.length > 0 ? `Did you mean ${names.map((each) => `"${each}"`).join(' or ')}?` : `See: ${list}`;
  throw notFound(`No ${kind} is named "${name}". ${hint}`);
}
