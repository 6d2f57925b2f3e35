import { notFound, usage } from '../errors.ts';
import { similar } from './similar.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

interface Kind<Record> {
  readonly kind: string;
  readonly list: string;
  readonly detail?: (record: Record) => string | number;
}

/**
 * The record that has exactly this name. `kind` is what messages call it, `list` the command that lists all of them, and `detail` what
 * tells several of the same name apart.
 *
 * @throws CliError if no record has the name, or several have it
 */
export function byName<Record extends Named>(
  records: readonly Record[],
  name: string,
  { kind, list, detail }: Kind<Record>,
): Record {
  const [found, ...others] = records.filter((record) => record.name === name.trim());
  if (found && others.length === 0) return found;
  if (found) {
    const lines = [found, ...others].map((record) => (detail ? `${record.id} (${detail(record)})` : record.id));
    throw usage(`Several ${kind}s are named "${name}"; use an ID:`, ...lines);
  }
  const names = similar(
    name,
    records.map((record) => record.name),
  );
  const hint = names.length > 0 ? `Did you mean ${names.map((each) => `"${each}"`).join(' or ')}?` : `See: ${list}`;
  throw notFound(`No ${kind} is named "${name}". ${hint}`);
}
