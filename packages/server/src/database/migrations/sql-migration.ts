import { Migration } from '@mikro-orm/migrations';
import type { Constructor } from '@mikro-orm/postgresql';

/** A migration that runs the statements of a text one after the other. There is no way back but a backup. */
export function sqlMigration(text: string): Constructor<Migration> {
  return class extends Migration {
    override up(): void {
      for (const statement of statementsOf(text)) this.addSql(statement);
    }

    override down(): void {
      throw new Error('There is no way back to the version before; restore a backup instead.');
    }
  };
}

/**
 * The statements of a text, each of which ends with a semicolon at the end of a line. Citus takes only one at a time.
 */
export function statementsOf(text: string): string[] {
  const statements: string[] = [];
  let begun = '';
  for (const line of text.split('\n')) {
    begun += `${line}\n`;
    const isInBlock = begun.split('$$').length % 2 === 0;
    if (!line.trimEnd().endsWith(';') || isInBlock) continue;
    statements.push(begun.trim());
    begun = '';
  }
  if (begun.trim() !== '') throw new Error(`The last statement does not end with a semicolon: ${begun.trim()}`);
  return statements;
}
