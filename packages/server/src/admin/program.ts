import { Command } from 'commander';
import { addKeyCommands } from './key.ts';
import { addOrganizationCommands } from './organization.ts';
import { addPlanCommands } from './plan.ts';
import { addUserCommands } from './user.ts';
import type { Environment } from './context.ts';

/** The whole command line: `--json`, then nouns and their verbs. Errors are thrown; nothing ends the process. */
export function buildProgram(env: Environment): Command {
  const program = new Command('admin')
    .description('Organizations, members, keys and plans, without a browser. Works on the database the service uses.')
    .option('--json', 'print the result as JSON')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .addHelpText('after', notes);
  for (const add of [addOrganizationCommands, addUserCommands, addKeyCommands, addPlanCommands]) add(program, env);
  return program;
}

const notes = `
The database is the one DATABASE_URL names, or the embedded one in DATA_DIR; the service may run meanwhile. Passwords and keys
that are made here are printed once, on the standard output, and cannot be read back.

Exit codes: 0 done, 1 refused or failed, 2 wrong usage.

Examples:
  $ npm run admin -- organization create --name Acme --owner-email ada@acme.example
  $ npm run --silent admin -- key create --organization Acme --scopes runs:read,runs:write --json
  $ npm run admin -- user password --email ada@acme.example --password-stdin < password.txt`;
