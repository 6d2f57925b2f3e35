/**
 * The service that test files share, in one process with its own database. `npm test` starts it when the first file
 * asks for it. It sends its parent where it is, and where the controls are that set up organizations and look for
 * secrets.
 */
import { createServer } from 'node:http';
import { json as readJson } from 'node:stream/consumers';
import { startApp } from './app.ts';
import { readColumns } from './checks/columns.ts';
import { ensureConsistent } from './checks/consistency.ts';
import { secrets, watchSecrets } from './checks/secrets.ts';
import { json, listenOnLoopback } from './http-server.ts';
import type { Controls, SharedAppAddress } from './use-shared-app.ts';

const stack = new AsyncDisposableStack();
const app = await startApp(stack);

const controls: Controls = {
  ...app.provision,
  logged: async () => secrets.kept('log').length,
  leaks: async (values, organizationIds, logged) => {
    const watch = watchSecrets();
    watch.remember(...values);
    for (const line of secrets.kept('log').slice(logged)) watch.keep('log', line);
    return watch.leaks(await readColumns(app.databaseUrl, organizationIds));
  },
  ensureConsistent: (organizationIds) => ensureConsistent(app.database, organizationIds),
};

const server = createServer((req, res) => {
  const control = controls[(req.url ?? '').slice(1) as keyof Controls] as (...args: unknown[]) => Promise<unknown>;
  void readJson(req)
    .then((args) => control(...(args as unknown[])))
    .then(
      (result) => json(res, 200, { result }),
      (error: unknown) => json(res, 500, { error: String(error) }),
    );
});
const port = await listenOnLoopback(server);
const { baseUrl, databaseUrl, filesFolder } = app;
const address: SharedAppAddress = { baseUrl, databaseUrl, filesFolder, controlUrl: `http://127.0.0.1:${port}` };
process.send?.(address);

process.once('disconnect', () => process.exit());
process.once('SIGTERM', () => {
  server.close();
  void stack.disposeAsync().finally(() => process.exit());
});
