import type { Contract, Parts, Response } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import { ensureMayCreateFolder } from '../access/resource-scope/folders.ts';
import { badRequest } from '../api-error.ts';
import { recordChange, type AuditTarget } from '../audit-log/record-change.ts';
import { instant } from '../database/instant.ts';
import { newId } from '../ids.ts';
import { decodeCursor, pageOf } from '../paging.ts';
import { Template } from '../templates/entities/template.ts';
import { Folder } from './entities/folder.ts';
import { findFolder, lockFolder } from './find-folder.ts';
import { listFolders, type FolderRow } from './queries/list-folders.ts';

/** Folders of templates. */
export const folders: Handlers<Parts['folders']> = {
  list: async ({ em, actor, query: { limit, cursor } }) => {
    const after = cursor === undefined ? null : decodeCursor(cursor, 'text', 'id');
    const read = await listFolders(em, actor, { limit, after });
    return pageOf({ ...read, limit }, presentFolder, ({ name, id }) => [name, id]);
  },

  create: async ({ body: { name }, ...context }) => {
    const { em, actor, now } = context;
    ensureMayCreateFolder(actor);
    const folder = { id: newId(), organizationId: actor.organizationId, name, createdAt: now };
    em.create(Folder, folder);
    await em.flush();
    const created = await findFolder(context, folder.id);
    await recordChange(context, { action: 'folder.created', target: targetOf(created), after: { name } });
    return presentFolder(created);
  },

  get: async ({ params, ...context }) => presentFolder(await findFolder(context, params.id)),

  update: async ({ params: { id }, body: { name }, ...context }) => {
    const folder = await lockFolder(context, id);
    const { em, actor } = context;
    await em.nativeUpdate(Folder, { id, organizationId: actor.organizationId }, { name });
    const changed = { before: { name: folder.name }, after: { name } };
    await recordChange(context, { action: 'folder.updated', target: targetOf({ id, name }), ...changed });
    return presentFolder({ ...folder, name });
  },

  delete: async ({ params: { id }, ...context }) => {
    const { name, templateCount } = await lockFolder(context, id);
    if (templateCount > 0) {
      const [templates, them] = templateCount === 1 ? ['1 template', 'it'] : [`${templateCount} templates`, 'them'];
      throw badRequest(
        'in_use',
        `The folder cannot be deleted while it contains ${templates}; move or delete ${them} first.`,
      );
    }
    const { em, actor } = context;
    const { organizationId } = actor;
    // Deleted templates keep their rows, because their runs refer to them.
    await em.nativeUpdate(Template, { organizationId, folderId: id }, { folderId: null });
    await em.nativeDelete(Folder, { id, organizationId });
    await recordChange(context, { action: 'folder.deleted', target: targetOf({ id, name }), before: { name } });
  },
};

/** A folder, as the audit log names it. */
function targetOf({ id, name }: Pick<FolderRow, 'id' | 'name'>): AuditTarget {
  return { type: 'FOLDER', id, label: name };
}

function presentFolder({ createdAt, ...row }: FolderRow): Response<Contract['folders']['get']> {
  return { ...row, createdAt: instant(createdAt) };
}
