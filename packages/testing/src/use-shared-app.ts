import type { TestFn } from 'ava';
import { failOnLeaks, secrets } from './checks/secrets.ts';
import type { Provision } from './provision.ts';

/** A service, for tests that only use the API. */
export interface SharedApp {
  readonly baseUrl: string;
  readonly provision: Provision;
}

/** The service that test files share, and where it keeps its data. */
export interface LocalApp extends SharedApp {
  /** Its database, for tests that hold a lock. */
  readonly databaseUrl: string;
  /** Where it keeps files, in folders by organization. */
  readonly filesFolder: string;
}

/** What a shared service does for test files, besides serving the API. */
export interface Controls extends Provision {
  /** The number of lines logged so far. */
  logged(): Promise<number>;
  /**
   * The places where these secrets appeared: the log after its first `logged` lines, or rows of these organizations.
   */
  leaks(values: readonly string[], organizationIds: readonly string[], logged: number): Promise<string[]>;
  /** Fails if a counter of runs of these organizations is wrong, or a row belongs to nothing. */
  ensureConsistent(organizationIds: readonly string[]): Promise<void>;
}

/** Where a shared service listens. */
export interface SharedAppAddress extends Omit<LocalApp, 'provision'> {
  readonly controlUrl: string;
}

/**
 * Connects to the service that test files share, and starts it for the first file. The service has the default options
 * of `useApp`, but runs in another process. Fails if a secret that the tests handled is in the log, in an error body or
 * in a row of their organizations, or if their counters or rows contradict each other. The returned object is filled in
 * when the tests begin.
 */
export function useSharedApp(test: TestFn): LocalApp {
  const service: Partial<LocalApp> = {};
  const organizationIds: string[] = [];
  let controls: Controls | undefined;
  let logged = 0;
  test.before(async () => {
    const { controlUrl, ...address } = await findService();
    const remote = controlsAt(controlUrl);
    controls = remote;
    logged = await remote.logged();
    const organization: Provision['organization'] = async (...args) => {
      const made = await remote.organization(...args);
      organizationIds.push(made.organizationId);
      return made;
    };
    Object.assign(service, { ...address, provision: { ...remote, organization } });
  });
  test.after('the log, the errors and the database hold no secret', async () => {
    const found = await controls?.leaks([...secrets.values], organizationIds, logged);
    failOnLeaks([...secrets.leaks([]), ...(found ?? [])]);
  });
  test.after('counters and rows belong to the runs', () => controls?.ensureConsistent(organizationIds));
  return service as LocalApp;
}

async function findService(): Promise<SharedAppAddress> {
  const url = process.env['TEST_SHARED_APP_URL'];
  if (!url) throw new Error('TEST_SHARED_APP_URL is not set: this test needs a service. Run it with: npm test -- FILE');
  const response = await fetch(url);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as SharedAppAddress;
}

function controlsAt(url: string): Controls {
  const control =
    (name: string) =>
    async (...args: readonly unknown[]): Promise<never> => {
      const response = await fetch(`${url}/${name}`, { method: 'POST', body: JSON.stringify(args) });
      const { result, error } = (await response.json()) as { result: never; error?: string };
      if (!response.ok) throw new Error(error);
      return result;
    };
  return {
    organization: control('organization'),
    key: control('key'),
    changePlan: control('changePlan'),
    member: control('member'),
    folder: control('folder'),
    group: control('group'),
    fixCounters: control('fixCounters'),
    storedRun: control('storedRun'),
    query: control('query'),
    logged: control('logged'),
    leaks: control('leaks'),
    ensureConsistent: control('ensureConsistent'),
  };
}
