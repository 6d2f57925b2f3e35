/**
 * How blocks are tested that are neither command lines (`sh`), which guides.slow.test.ts runs, nor programs (`ts`),
 * which packed.slow.test.ts runs.
 */

/** A page, the beginning of a block on it, and how that block is tested. */
type Row<What> = readonly [page: string, start: string, what: What];

/** Blocks that the tests of a feature run or compare. */
export const runElsewhere: readonly Row<string>[] = [
  ['README.md', 'const { RUNWARD_BASE_URL', 'packages/server/test/readme.test.ts'],
  ['README.md', "import { createClient } from '@runward/sdk'", 'packages/server/test/readme.test.ts'],
  ['README.md', 'import { createServer }', 'packages/server/test/readme.test.ts'],
  ...['from runward import Client, V', 'import asyncio', 'from pathlib', 'from runward.webhooks'].map(
    (start): Row<string> => ['clients/python/README.md', start, 'scripts/test/python-client.slow.test.ts'],
  ),
  ['docs/guides/analytics.md', '{ "from"', 'packages/server/test/analytics/guide.test.ts'],
  ['docs/guides/api.md', '[ { "fieldId"', 'packages/server/test/runs/searchable-fields.test.ts'],
  ['docs/guides/audit.md', 'import hashlib', 'packages/cli/test/runs/audit.test.ts'],
  ['docs/guides/audit.md', 'import csv', 'packages/server/test/audit-log/guide.test.ts'],
  ...[0, 1, 2, 3].map((): Row<string> => [
    'docs/guides/concepts.md',
    'stateDiagram',
    'packages/engine/test/diagrams.slow.test.ts',
  ]),
  ['docs/guides/data-sources.md', 'runward data create Suppliers', 'packages/cli/test/data/data-guide.test.ts'],
  ['docs/guides/data-sources.md', '{ "key": "supplier"', 'packages/cli/test/data/data-guide.test.ts'],
  ['docs/guides/data-sources.md', 'runward runs launch', 'packages/cli/test/data/data-guide.test.ts'],
  ['docs/guides/data-sources.md', 'runward data rows', 'packages/cli/test/data/data-guide.test.ts'],
  ['docs/guides/deploy.md', '# runward.yaml', 'scripts/test/helm.slow.test.ts'],
  ...[
    '# postgresql.conf',
    'pg_basebackup',
    'cp -Rpn "$DATA_DIR',
    'cp -Rp /backups/base',
    'cp -Rpn /backups',
    'runward-admin doctor',
  ].map((start): Row<string> => ['docs/guides/point-in-time.md', start, 'scripts/test/point-in-time.slow.test.ts']),
  ['docs/guides/portals.md', '[ { "type": "HEADING"', 'packages/server/test/portals/guide.test.ts'],
  ['docs/guides/sharing.md', '[ { "path"', 'packages/server/test/templates/sharing-guide.test.ts'],
  ['docs/guides/templates.md', '{ "phases"', 'packages/server/test/templates/guide.test.ts'],
  ['docs/guides/templates.md', '{ "name": "Purchase"', 'packages/cli/test/templates/templates-simulate.test.ts'],
  [
    'docs/guides/templates.md',
    'runward templates simulate purchase.json',
    'packages/cli/test/templates/templates-simulate.test.ts',
  ],
  ['docs/guides/templates.md', '2 paths', 'packages/cli/test/templates/templates-simulate.test.ts'],
  ...[
    'import hashlib',
    'package runward',
    'require "openssl"',
    '<?php',
    'import java',
    'using System',
    'runward_verify()',
  ].map((start): Row<string> => ['docs/guides/verify-webhooks.md', start, 'packages/server/test/support/verifiers.ts']),
  ['docs/guides/webhooks.md', '{ "name": "Payroll"', 'packages/server/test/webhooks/guide.test.ts'],
  ['docs/guides/webhooks.md', '{ "event"', 'packages/server/test/webhooks/guide.test.ts'],
  ['packages/cli/README.md', '{ "name": "Onboarding"', 'packages/cli/test/readme.test.ts'],
  ['packages/contract/README.md', 'import { contract }', 'scripts/test/guides/test-pages.ts'],
  ['packages/engine/README.md', 'import { canonicalJson }', 'scripts/test/guides/test-pages.ts'],
];

/** Blocks that do not run here, and why. */
export const notRun: readonly Row<string>[] = [
  [
    'README.md',
    'npm ci && npm run demo',
    'runs the demo and every test; examples/test/demo.slow.test.ts runs the demo',
  ],
  [
    'docs/guides/point-in-time.md',
    'DATABASE_URL="postgres://postgres:$(cat',
    'needs pg_dump 18; packages/server/test/backup.slow.test.ts runs both scripts',
  ],
  ['docs/guides/deploy.md', 'docker build --tag runward .', 'needs Docker'],
  ['docs/guides/deploy.md', 'docker run --rm', 'needs Docker'],
  ['docs/guides/deploy.md', 'docker build --tag runward-embedded', 'needs Docker'],
  ['docs/guides/deploy.md', 'cp .env.example', 'needs Docker'],
  ['docs/guides/deploy.md', 'docker compose --profile', 'needs Docker'],
  ['docs/guides/deploy.md', 'echo "GARAGE', 'needs Docker'],
  ['docs/guides/deploy.md', 'mkdir -m 700 backup', 'needs Docker'],
  ['docs/guides/deploy.md', 'docker compose up --detach --wait postgres', 'needs Docker'],
  ['docs/guides/deploy.md', 'docker compose build', 'needs Docker'],
  ['docs/guides/deploy.md', 'kubectl create namespace', 'needs a cluster'],
  ['docs/guides/deploy.md', 'kubectl delete deployment', 'needs a cluster'],
  ['docs/guides/deploy.md', 'npm ci && npm run pack', 'installs a service of systemd'],
  ['docs/guides/deploy.md', "sudo systemctl stop 'runward@*'", 'upgrades a service of systemd'],
  ['docs/guides/deploy.md', 'services: api: &secrets', 'needs Docker'],
  ['docs/guides/deploy.md', '[Service] LoadCredential', 'configures a service of systemd'],
  ['docs/guides/deploy.md', 'upstream runward', 'configures nginx'],
  ['docs/guides/deploy.md', 'runward.example.com {', 'configures Caddy'],
  [
    'docs/guides/deploy.md',
    'DATABASE_URL=postgres://… DATA_DIR=/var/lib/runward sh deploy/backup.sh',
    'packages/server/test/backup.slow.test.ts backs up',
  ],
  [
    'docs/guides/deploy.md',
    'DATABASE_URL=postgres://… DATA_DIR=/var/lib/runward sh deploy/restore.sh',
    'packages/server/test/backup.slow.test.ts restores',
  ],
  [
    'docs/guides/deploy.md',
    'DATABASE_URL=postgres://… runward-admin migrate',
    'packages/server/test/admin/migrate.slow.test.ts migrates',
  ],
  ['docs/guides/mcp.md', '{ "mcpServers": { "runward": { "type"', 'configures another program'],
  ['docs/guides/mcp.md', '{ "mcpServers": { "runward": { "command"', 'configures another program'],
  ['docs/guides/mcp.md', 'claude mcp add --transport', 'configures another program'],
  ['docs/guides/mcp.md', 'claude mcp add runward', 'configures another program'],
  ['packages/mcp/README.md', '{ "mcpServers"', 'configures another program'],
  [
    'docs/guides/operations.md',
    'ROLE=api',
    'starts services; packages/server/test/roles.slow.test.ts starts both roles',
  ],
  ['docs/guides/operations.md', 'DATABASE_URL=postgres://runward:secret@db', 'starts a service'],
  [
    'docs/guides/scale.md',
    'DATABASE_URL=postgres://… runward-admin cells create',
    'packages/server/test/admin/cells.test.ts creates cells',
  ],
  [
    'docs/guides/scale.md',
    'DATABASE_URL=postgres://… runward-admin cells list',
    'packages/server/test/admin/cells.test.ts lists cells',
  ],
  [
    'docs/guides/scale.md',
    'DATABASE_URL=postgres://… DATABASE_SCHEMA=cell1 runward-admin organization move',
    'packages/server/test/admin/organization-move.slow.test.ts moves an organization and removes what it left',
  ],
  [
    'docs/guides/scale.md',
    'DATABASE_URL=postgres://… TARGET_DATABASE_URL=',
    'packages/server/test/admin/organization-move-database.slow.test.ts moves an organization to another database',
  ],
  [
    'docs/guides/scale.md',
    'DATABASE_URL=postgres://coordinator… runward-admin cells move',
    'packages/server/test/database/cells.slow.test.ts moves a cell',
  ],
  ['docs/guides/single-sign-on.md', 'OIDC_ISSUER=https://keycloak', 'configures a provider'],
  ['docs/guides/single-sign-on.md', 'OIDC_ISSUER=https://login.microsoftonline', 'configures a provider'],
  ['docs/guides/single-sign-on.md', 'OIDC_ISSUER=https://accounts.google', 'configures a provider'],
  [
    'docs/guides/operations.md',
    'ok settings',
    'needs a mail server and more; packages/server/test/check.slow.test.ts reads such lines',
  ],
  [
    'docs/guides/operations.md',
    'ok clock',
    'needs a replica and more; packages/server/test/admin/doctor.test.ts reads such lines',
  ],
  [
    'docs/guides/operations.md',
    '{"level":30',
    'a line of the log; packages/server/test/telemetry/log.test.ts reads one',
  ],
  [
    'packages/cli/README.md',
    'source <(runward completion',
    'changes the shell; packages/cli/test/completion.test.ts runs the scripts',
  ],
  [
    'packages/mcp/README.md',
    'import { serveStdio }',
    'serves standard input; scripts/test/packed/mcp.ts connects a client',
  ],
];

/** Command lines that do not run here, on any page, and why. */
export const linesNotRun: readonly (readonly [line: RegExp, why: string])[] = [
  [/^(?:npm (?:ci|start|install .*|run build|run pack .*|pack .*)|cd .*)$/, 'installs, builds or starts everything'],
  [
    /^npm run --silent runward -- runs list$/,
    'is how the repository starts the command; packages/server/test/readme.test.ts does',
  ],
  [/^pip install /, 'installs a package; scripts/test/python-client.slow.test.ts does'],
  [/^runward login$/, 'asks on a terminal'],
  [/^runward tasks (?:complete|fill) RUN "[^"]+"$/, 'asks on a terminal'],
  [/--folders ID,ID$/, 'names folders of a server, and the command line starts with an empty database'],
  [
    /^npx runward-(?:server|admin)/,
    'starts the installed server; scripts/test/bins.slow.test.ts starts the same from the sources',
  ],
];

/** Programs that may run besides our own. */
export const programs = /^(?:curl|echo|gunzip|gzip|pass|pdftk|tr) /;
