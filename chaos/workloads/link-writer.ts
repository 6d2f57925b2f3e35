import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { formWith } from '@runward/testing/page-client';
import type { Random } from '@runward/testing/random';
import type { LinkVisit } from '../history/admin-history.ts';
import { fact } from '../history/history.ts';
import type { AdminLog } from './admin-log.ts';
import { newBrowser } from './browser.ts';
import type { Caller } from './client.ts';
import type { Template } from './prepare.ts';

/** Clients who make form links, and people who open them. */
export interface LinkWriter {
  readonly visits: readonly LinkVisit[];
  /** Makes a link, which is opened and mostly revoked. Rejects after a request without a response. */
  write(email: string, random: Random): Promise<void>;
  /** Opens every link once more. */
  visitAll(): Promise<void>;
}

/** Creates a writer of form links for the first task of runs of a template. */
export function createLinkWriter(caller: Caller, { templateId }: Template, log: AdminLog): LinkWriter {
  const visits: LinkVisit[] = [];
  const paths = new Map<string, string>();
  /** Returns what opens the page of the task again, in the same browser; null if the link was refused. */
  const visit = async (email: string, open: () => Promise<Reopen | null>) => {
    const from = Date.now();
    const reopen = await open();
    visits.push({ email, from, to: Date.now(), isOpened: reopen !== null });
    return reopen;
  };

  return {
    visits,
    write: async (email, random) => {
      const title = `Link ${randomUUID()}`;
      const rest = () => pause(random.between(50, 500));
      const { id: runId } = await caller.write(
        { name: 'launch', title, runId: null, facts: [fact('run.started')] },
        (api, options) => api.runs.launch({ templateId, title }, options),
      );
      const { tasks } = await caller.read((api) => api.runs.get(runId));
      const runTaskId = tasks.find((task) => task.title === 'Form')?.runTaskId ?? '';
      const { body: link } = await log.record(
        [
          { action: 'user.created', email, value: 'GUEST' },
          { action: 'form_link.created', email, value: null },
        ],
        async () => {
          const facts = [fact('task.assigned', runTaskId)];
          const body = await caller.write({ name: 'create form link', title, runId, facts }, (api, options) =>
            api.runs.tasks.createFormLink(runTaskId, { email }, options),
          );
          return { status: 201, body };
        },
      );
      const { pathname } = new URL(link.url);
      paths.set(email, pathname);
      const reopen = await visit(email, () => openLink(caller, pathname));
      await rest();
      if (random.next() < 0.2) return;
      await log.record([{ action: 'form_link.revoked', email, value: null }], async () => {
        const body = await caller.write({ name: 'revoke form link', title, runId, facts: [] }, (api, options) =>
          api.runs.tasks.revokeFormLink(link.id, options),
        );
        return { status: 204, body };
      });
      await visit(email, () => openLink(caller, pathname));
      if (reopen) await visit(email, reopen);
    },
    visitAll: async () => {
      for (const [email, path] of paths) await visit(email, () => openLink(caller, path));
    },
  };
}

type Reopen = () => Promise<Reopen | null>;

/** Opens the task of a link, in a new browser, at any API process. Null if the link was refused. */
async function openLink(caller: Caller, path: string): Promise<Reopen | null> {
  const { client, request } = newBrowser(caller);
  const { status, html } = await request(() => client.get(path));
  if (status !== 200) return null;
  const { action, fields } = formWith(html, 'Open the form');
  const opened = await request(() => client.submit(action, fields));
  const task = opened.headers.get('location');
  if (opened.status !== 303 || task === null) return null;
  const reopen: Reopen = async () => ((await request(() => client.get(task))).status === 200 ? reopen : null);
  return reopen();
}
