import type { Scope } from '@runward/contract';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { useSharedApp, type SharedApp } from '@runward/testing/use-shared-app';
import type { TestFn } from 'ava';
import { runCommand, type CommandOptions, type Finished } from './command.ts';

/** Runs `runward` with the API key of an organization. */
export type Runward = (args: readonly string[], options?: CommandOptions) => Promise<Finished>;

/** An organization on the service, and the command with its API key in the environment. */
export interface Workplace {
  readonly org: TestOrganization;
  readonly baseUrl: string;
  /** The environment of the command. */
  readonly env: Readonly<Record<string, string>>;
  readonly runward: Runward;
  /** Creates another API key. */
  newKey(scopes: readonly Scope[]): Promise<string>;
  /** Runs a command that must succeed, and parses the JSON it prints. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- only the test knows what its command prints
  data<Data extends object>(args: readonly string[], options?: CommandOptions): Promise<Data>;
}

/**
 * Connects a test file to a service, by default the one that test files share. Every workplace is a separate
 * organization.
 */
export function useServer(test: TestFn, app: SharedApp = useSharedApp(test)) {
  return {
    app,
    newWorkplace: async (organization: { plan?: 'FREE'; timeZone?: string } = {}): Promise<Workplace> => {
      const org = await newOrganization(app, organization);
      const env = { RUNWARD_API_KEY: org.apiKey, RUNWARD_BASE_URL: app.baseUrl };
      const runward: Runward = (args, { env: more, ...rest } = {}) =>
        runCommand(args, { ...rest, env: { ...env, ...more } });
      const newKey = (scopes: readonly Scope[]) => org.plainKey({ scopes });
      const data: Workplace['data'] = (args, given) => dataOf(runward(args, given));
      return { org, env, runward, newKey, data, baseUrl: app.baseUrl };
    },
  };
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- only the test knows what its command prints
async function dataOf<Data>(running: Promise<Finished>): Promise<Data> {
  const { code, stdout, stderr } = await running;
  if (code !== 0) throw new Error(`The command exited with ${code}: ${stderr}`);
  return JSON.parse(stdout) as Data;
}
