import { ReferenceKind, UnderscoreNamingStrategy, type EntityMetadata } from '@mikro-orm/core';

/** Names columns in snake case, and foreign keys as PostgreSQL does: `runs_organization_id_owner_user_id_fkey`. */
export class Naming extends UnderscoreNamingStrategy {
  override indexName(...[table, columns, type]: Parameters<UnderscoreNamingStrategy['indexName']>): string {
    return type === 'foreign' ? `${table}_${columns.join('_')}_fkey` : super.indexName(table, columns, type);
  }
}

/** How the ORM reads the entities. */
export const discovery = {
  // Relations are never written (see entities.ts), which is safe with composite keys: the id properties hold every column.
  checkNonPersistentCompositeProps: false,
  onMetadata: withoutCascades,
};

/** The ORM would cascade from a composite key, and set a nullable key to null. A foreign key does neither unless its relation says so. */
function withoutCascades({ properties }: EntityMetadata): void {
  for (const property of Object.values(properties)) {
    if (property.kind !== ReferenceKind.MANY_TO_ONE) continue;
    property.deleteRule ??= 'no action';
    property.updateRule ??= 'no action';
  }
}
