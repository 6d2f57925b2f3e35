import { setTimeout as pause } from 'node:timers/promises';
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Client, Download } from '@runward/sdk';
import { consolePaths } from '@runward/server/internal/pages/paths';
import type { Cluster } from '../processes/cluster.ts';
import { openBrowser } from '../workloads/browser.ts';
import { untilStopped, type Stoppable } from '../workloads/stoppable.ts';

/** Clients who read documents, pages of the console, and with the tools for language models. */
export interface Readers extends Stoppable {
  /** How often each kind of request succeeded. */
  readonly counts: ReadonlyMap<string, number>;
  /** What failed, with the reason. */
  readonly failures: readonly string[];
}

interface Step {
  readonly kind: string;
  /** Rejects if the response is not what it should be. */
  readonly run: () => Promise<void>;
}

/** The pages without parameters. */
const { secret: _secret, files: _files, comments: _comments, grants: _grants, ...pagePaths } = consolePaths;

/**
 * Starts the clients. They only read, so that the checker has nothing to compare. Like all clients they try again for
 * a while; what fails for good counts.
 */
export async function startReaders({ clients, owner, apiKey }: Cluster): Promise<Readers> {
  const counts = new Map<string, number>();
  const failures: string[] = [];
  const newestRun = async () => (await clients.read((api) => api.runs.list({ limit: 1 }))).data[0]?.id;
  /** The newest run, once there is one. */
  const anyRun = async () => {
    for (;;) {
      const id = await newestRun();
      if (id !== undefined) return id;
      await pause(1_000);
    }
  };

  const document = (kind: string, type: string, load: (api: Client, runId: string) => PromiseLike<Download>): Step => ({
    kind,
    run: async () => {
      const runId = await anyRun();
      const start = await clients.read(async (api) => {
        const download = await load(api, runId);
        const content = Buffer.from(await download.arrayBuffer());
        return `${download.contentType} ${content.toString('latin1', 0, 5)}`;
      });
      if (!start.startsWith(type)) throw new Error(`The document begins with ${start}.`);
    },
  });
  const documents = [
    document('PDF of a run', 'application/pdf %PDF-', (api, id) => api.runs.exportRunPdf(id)),
    document('CSV of a run', 'text/csv', (api, id) => api.runs.exportRunCsv(id)),
    document('PDF of analytics', 'application/pdf %PDF-', (api) => api.analytics.exportPdf()),
  ];

  const browser = await openBrowser(clients, { email: owner.ownerEmail, password: owner.ownerPassword });
  const page = (path: () => string | Promise<string>): Step => ({
    kind: 'page of the console',
    run: async () => {
      const opened = await path();
      const html = await browser.open(opened);
      if (!/<\/html>\s*$/.test(html)) throw new Error(`${opened} is incomplete.`);
    },
  });
  const pages = [
    ...Object.values(pagePaths).map((path) => page(() => path)),
    page(async () => `${consolePaths.runs}/${await anyRun()}`),
    page(() => `${consolePaths.search}?q=Chaos`),
  ];

  const call = async (baseUrl: string, name: string, input: Record<string, unknown>) => {
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', baseUrl), {
      requestInit: { headers: { authorization: `Bearer ${apiKey}` } },
    });
    const client = new McpClient({ name: 'chaos', version: '1.0.0' });
    await client.connect(transport);
    try {
      const { isError, content } = await client.callTool({ name, arguments: input });
      if (isError === true) throw new Error(`${name}: ${JSON.stringify(content)}`);
    } finally {
      await client.close();
    }
  };
  const tool = (name: string, input: () => Record<string, unknown> | Promise<Record<string, unknown>>): Step => ({
    kind: 'call of a tool',
    run: async () => {
      const values = await input();
      await clients.read((_api, _options, baseUrl) => call(baseUrl, name, values));
    },
  });
  const tools = [
    tool('find_runs', () => ({})),
    tool('get_run', async () => ({ run: await anyRun() })),
    tool('list_tasks', () => ({})),
    tool('explain_run', async () => ({ run: await anyRun() })),
  ];

  const work = async (steps: readonly Step[], signal: AbortSignal) => {
    for (let index = 0; !signal.aborted; index += 1) {
      const step = steps[index % steps.length];
      if (!step) return;
      try {
        await step.run();
        counts.set(step.kind, (counts.get(step.kind) ?? 0) + 1);
      } catch (error) {
        failures.push(`${step.kind}: ${String(error)}`);
      }
      await pause(500);
    }
  };
  return {
    counts,
    failures,
    ...untilStopped((signal) => Promise.all([documents, pages, tools].map((steps) => work(steps, signal)))),
  };
}
