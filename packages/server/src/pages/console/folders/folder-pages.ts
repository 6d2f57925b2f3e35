import type { Page } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { lazyPage } from '../lazy-page.ts';

/** The pages of the folders of templates. Like templates, every member may change them. */
export const folderPages: Readonly<Record<string, Page>> = {
  consoleFolders: lazyPage('GET', consolePaths.folders, async () => (await import('./list-folders.ts')).listFolders),
  consoleCreateFolder: lazyPage(
    'POST',
    consolePaths.folders,
    async () => (await import('./list-folders.ts')).createFolder,
  ),
  consoleFolder: lazyPage(
    'GET',
    `${consolePaths.folders}/:id`,
    async () => (await import('./show-folder.ts')).showFolder,
  ),
  consoleRenameFolder: lazyPage(
    'POST',
    `${consolePaths.folders}/:id`,
    async () => (await import('./change-folder.ts')).renameFolder,
  ),
  consoleMoveTemplates: lazyPage(
    'POST',
    `${consolePaths.folders}/:id/templates`,
    async () => (await import('./change-folder.ts')).moveTemplates,
  ),
  consoleFolderDeletion: lazyPage(
    'GET',
    `${consolePaths.folders}/:id/delete`,
    async () => (await import('./delete-folder.ts')).confirmDeletion,
  ),
  consoleDeleteFolder: lazyPage(
    'POST',
    `${consolePaths.folders}/:id/delete`,
    async () => (await import('./delete-folder.ts')).deleteFolder,
  ),
};
