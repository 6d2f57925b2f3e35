/**
 * The organizations that jobs leave alone, as SQL: those of which the other cell has the rows, or gets the last of
 * them. The table has a row for each move that is not over, so that this is empty most of the time.
 */
export const restingOrganizations = `(select organization_id from organization_moves where step <> 'COPYING')`;

/** Whether jobs leave an organization alone, as SQL. `id` is the column with its id. */
export const isResting = (id: string) => `
  exists (select from organization_moves where organization_id = ${id} and step <> 'COPYING')`;
