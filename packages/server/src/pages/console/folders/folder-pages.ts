import type { Page } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { pagesBelow } from '../lazy-page.ts';

const page = pagesBelow(consolePaths.folders);

/** The pages of the folders of templates. Like templates, every member may change them. */
export const folderPages: Readonly<Record<string, Page>> = {
  consoleFolders: page('GET', '', async () => (await import('./list-folders.ts')).listFolders),
  consoleCreateFolder: page('POST', '', async () => (await import('./list-folders.ts')).createFolder),
  consoleFolder: page('GET', '/:id', async () => (await import('./show-folder.ts')).showFolder),
  consoleRenameFolder: page('POST', '/:id', async () => (await import('./change-folder.ts')).renameFolder),
  consoleMoveTemplates: page('POST', '/:id/templates', async () => (await import('./change-folder.ts')).moveTemplates),
  consoleFolderDeletion: page('GET', '/:id/delete', async () => (await import('./delete-folder.ts')).confirmDeletion),
  consoleDeleteFolder: page('POST', '/:id/delete', async () => (await import('./delete-folder.ts')).deleteFolder),
};
