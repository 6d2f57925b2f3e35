import { startProgram } from '@runward/testing/program';

/** Runs a check of the administration command and returns its report. A check with findings exits with 1. */
export async function runCheck<Report>(databaseUrl: string, dataDir: string, ...args: string[]): Promise<Report> {
  const program = startProgram('packages/server/src/admin/main.ts', ['--json', ...args], {
    env: { DATABASE_URL: databaseUrl, DATA_DIR: dataDir },
  });
  await program.ended;
  if (!program.stdout().startsWith('{')) throw new Error(`admin ${args.join(' ')} failed:\n${program.output()}`);
  return JSON.parse(program.stdout()) as Report;
}
