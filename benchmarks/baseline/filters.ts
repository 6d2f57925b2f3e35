/** What a list of runs is limited to and ordered by. `$1` is the organization; the values follow. */
interface Filters {
  /** Empty for all runs that are not archived. */
  readonly where: string;
  readonly order: string;
  readonly values: readonly string[];
}

/** The condition of each query parameter on its value, which is a text. */
const conditions: Readonly<Record<string, (value: string) => string>> = {
  statuses: (value) => `status = any (string_to_array(${value}, ','))`,
  templateIds: (value) => `template_id = any (string_to_array(${value}, ',')::uuid[])`,
  ownerUserIds: (value) => `owner_user_id = any (string_to_array(${value}, ',')::uuid[])`,
  createdFrom: (value) => `created_at >= ${value}::text::date`,
  createdTo: (value) => `created_at < ${value}::text::date + 1`,
  search: (value) => `title ilike '%' || ${value} || '%'`,
};

/** The filters of a query. */
export function filtersOf(query: URLSearchParams): Filters {
  const filters = [...query].flatMap(([name, value]) => {
    const condition = conditions[name];
    return condition ? [{ condition, value }] : [];
  });
  const archived = query.get('archived') === 'true' ? ['archived_at is not null'] : [];
  return {
    where: [...archived, ...filters.map(({ condition }, index) => condition(`$${index + 2}`))].join(' and '),
    order: query.get('sort') === 'title' ? 'title, id' : 'id desc',
    values: filters.map(({ value }) => value),
  };
}
