/**
 * Uses the API without a library: launches a run with `fetch` and reads it back. Needs RUNWARD_API_KEY, the id of the
 * template as its argument, and RUNWARD_BASE_URL unless the service is at http://127.0.0.1:3000.
 */
const baseUrl = process.env['RUNWARD_BASE_URL'] ?? 'http://127.0.0.1:3000';
const headers = { authorization: `Bearer ${process.env['RUNWARD_API_KEY']}`, 'content-type': 'application/json' };

const [templateId, title = 'Launched with fetch'] = process.argv.slice(2);
if (templateId === undefined) throw new Error('Usage: main.ts TEMPLATE_ID [TITLE]');

interface Run {
  readonly id: string;
  readonly publicId: string;
  readonly title: string;
  readonly status: string;
  readonly tasks: readonly { readonly title: string; readonly status: string; readonly dueAt: string | null }[];
}

const launched = await call<Omit<Run, 'tasks'>>('POST', '/runs', { templateId, title });
console.log(`${launched.publicId} "${launched.title}" is ${launched.status}`);

const run = await call<Run>('GET', `/runs/${launched.id}`);
for (const task of run.tasks) console.log(`  ${task.status}  ${task.title}${task.dueAt ? `, due ${task.dueAt}` : ''}`);

async function call<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const response = await fetch(baseUrl + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  if (!response.ok) {
    // Every error has the same form of body. For invalid input, `message` is an array with one string per problem.
    const { error, message } = (await response.json()) as { error: string; message: string | string[] };
    throw new Error(`${method} ${path}: ${response.status} ${error}: ${[message].flat().join('; ')}`);
  }
  return (await response.json()) as Body;
}
