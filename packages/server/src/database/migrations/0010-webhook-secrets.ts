import { Migration } from '@mikro-orm/migrations';

/**
 * Signing secrets of single webhooks (decision 0081). Programs that do not know them sign with the secret of the
 * organization, so the migration is not compatible (decision 0069).
 */
export class Migration0010WebhookSecrets extends Migration {
  override up(): void {
    this.addSql(`
      alter table webhooks add column signing_secret text,
        add column previous_signing_secret text,
        add column previous_signing_secret_expires_at timestamptz;`);
  }

  override down(): void {
    throw new Error('There is no way back to the version before; restore a backup instead.');
  }
}
