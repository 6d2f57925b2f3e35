import { Migration } from '@mikro-orm/migrations';

/** The service itself as the actor of a line of the audit log (decision 0078). */
export class Migration0020AuditActorCompatible extends Migration {
  override up(): void {
    this.addSql(`
      alter table audit_lines drop constraint audit_lines_actor_type_check;
      alter table audit_lines add constraint audit_lines_actor_type_check
        check (actor_type in ('USER', 'API_KEY', 'ADMINISTRATION', 'ANONYMOUS', 'SYSTEM'));`);
  }

  override down(): void {
    throw new Error('There is no way back to the version before; restore a backup instead.');
  }
}
