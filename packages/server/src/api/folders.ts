import type { Contract, Response } from '@runward/contract';
import { ensureMayCreateFolder, lockReachedFolder, reachFolder } from '../commands/reach-folder.ts';
import { Folder } from '../db/entities/folder.ts';
import { Template } from '../db/entities/template.ts';
import { instant } from '../db/instant.ts';
import { listFolders, type FolderRow } from '../db/queries/list-folders.ts';
import { badRequest } from '../fault.ts';
import { newId } from '../ids.ts';
import type { Handlers } from './handler.ts';
import { decodeCursor, pageOf } from './paging.ts';

/** Folders of templates. */
export const folders: Handlers<Contract['folders']> = {
  list: async ({ em, actor, query: { limit, cursor } }) => {
    const after = cursor === undefined ? null : decodeCursor(cursor, 'text', 'id');
    const { rows, total } = await listFolders(em, actor, { limit, after });
    return pageOf(rows, limit, total, presentFolder, ({ name, id }) => [name, id]);
  },

  create: async ({ body: { name }, ...scene }) => {
    ensureMayCreateFolder(scene);
    const { em, actor, now } = scene;
    const folder = { id: newId(), organizationId: actor.organizationId, name, createdAt: now };
    em.create(Folder, folder);
    await em.flush();
    return presentFolder(await reachFolder(scene, folder.id));
  },

  get: async ({ params, ...scene }) => presentFolder(await reachFolder(scene, params.id)),

  update: async ({ params: { id }, body: { name }, ...scene }) => {
    const folder = await lockReachedFolder(scene, id);
    const { em, actor } = scene;
    await em.nativeUpdate(Folder, { id, organizationId: actor.organizationId }, { name });
    return presentFolder({ ...folder, name });
  },

  remove: async ({ params: { id }, ...scene }) => {
    const { templateCount } = await lockReachedFolder(scene, id);
    if (templateCount > 0) {
      const templates = templateCount === 1 ? '1 template lies' : `${templateCount} templates lie`;
      throw badRequest(`The folder cannot be deleted while ${templates} in it; move or delete what is inside first.`);
    }
    const { em, actor } = scene;
    const { organizationId } = actor;
    // Deleted templates keep their rows for their runs.
    await em.nativeUpdate(Template, { organizationId, folderId: id }, { folderId: null });
    await em.nativeDelete(Folder, { id, organizationId });
  },
};

function presentFolder({ createdAt, ...row }: FolderRow): Response<Contract['folders']['get']> {
  return { ...row, createdAt: instant(createdAt) };
}
