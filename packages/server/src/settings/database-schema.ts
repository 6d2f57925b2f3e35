/** The schema of PostgreSQL that an installation uses unless it is told another. */
export const defaultSchema = 'public';

/** Names of schemas that need no quotes and are not reserved. */
export const schemaPattern = /^(?!pg_)[a-z_][a-z0-9_]{0,62}$/;

/** What the pattern takes, after "must be". */
export const schemaRule = 'up to 63 lower-case letters, digits and underscores, not beginning with a digit or pg_';

/**
 * The URL of a database whose connections find every table in `schema`, and in no other. The schema is the whole
 * search path, so that without it nothing is read or created elsewhere. For the default schema, the URL is unchanged.
 */
export function inSchema(url: string, schema: string): string {
  return schema === defaultSchema ? url : withSetting(url, `search_path=${schema}`);
}

/** The URL of a database whose connections begin with a setting of PostgreSQL, like `lock_timeout=1s`. */
export function withSetting(url: string, setting: string): string {
  const changed = new URL(url);
  const given = changed.searchParams.get('options');
  changed.searchParams.set('options', `${given === null ? '' : `${given} `}-c ${setting}`);
  // PostgreSQL's own programs do not read a plus sign as a space.
  changed.search = changed.search.replaceAll('+', '%20');
  return changed.href;
}
