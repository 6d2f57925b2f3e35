import { dataSourceTables } from './0001-baseline/data-sources.ts';
import { fileTables } from './0001-baseline/files.ts';
import { libraryTables } from './0001-baseline/libraries.ts';
import { organizationTables } from './0001-baseline/organization.ts';
import { portalTables } from './0001-baseline/portals.ts';
import { runTables } from './0001-baseline/runs.ts';
import { templateTables } from './0001-baseline/templates.ts';
import { webhookTables } from './0001-baseline/webhooks.ts';

/**
 * The whole schema, as the entities declare it. Every table of ours has an `organization_id`, which is part of its
 * primary key and of its foreign keys: a row cannot refer to a row of another organization. A table without a required
 * parent refers to its organization itself.
 */
export const baseline = [
  organizationTables,
  templateTables,
  dataSourceTables,
  runTables,
  fileTables,
  webhookTables,
  portalTables,
  libraryTables,
].join('\n');
