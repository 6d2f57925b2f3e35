/** Which rows are read where not all are: a few of some organizations. */
export interface Sample {
  readonly organizationIds: readonly string[];
  /** The rows of an organization are read from this id on, and then from the lowest one. */
  readonly from: string;
  /** How many rows, of all organizations together. */
  readonly most: number;
}

/** The parameters of a statement of `sampleOf`. */
export function parametersOf({ organizationIds, from, most }: Sample): unknown[] {
  return [organizationIds, from, most];
}

/**
 * The text of a statement that reads a sample of a table, or of a subquery, by the primary key of organization and id.
 * It reads at most as many rows of each organization as it returns.
 */
export function sampleOf(columns: string, table: string): string {
  const part = (condition: string) =>
    `(select * from ${table} where organization_id = organization.organization and id ${condition} order by id limit $3)`;
  return `
    select ${columns} from unnest($1::uuid[]) as organization (organization) cross join lateral (
      select * from (${part('>= $2')} union all ${part('< $2')}) part limit $3
    ) own
    order by random() limit $3`;
}
