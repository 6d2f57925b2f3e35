import { randomUUID } from 'node:crypto';
import { newFormLinkId } from '../world/views.ts';
import { newRunIds, type Ids, type World } from '../world/world.ts';
import type { Examples } from './example.ts';

const freshRun = (world: World) => newRunIds(world, world.ids.template);

/** A form link of the task of a run of its own. */
async function newLink(world: World): Promise<Partial<Ids>> {
  const { runTask } = await freshRun(world);
  return { formLink: await newFormLinkId(world, runTask) };
}

/** Calls about links with which people without an account fill in a form. */
export const formLinkExamples = {
  createFormLink: [
    {
      before: freshRun,
      body: () => ({
        email: `${randomUUID()}@supplier.example`,
        name: 'Acme GmbH',
        expiresInHours: 24,
        requireCode: false,
      }),
    },
  ],
  revokeFormLink: [{ before: newLink }],
} as const satisfies Examples['runs.tasks'];
