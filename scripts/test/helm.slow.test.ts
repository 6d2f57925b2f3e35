import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment, isSecret, secretNames, variableNames } from '@runward/server/internal/environment';
import { repository } from '@runward/testing/program';
import test, { type ExecutionContext } from 'ava';
import { parse } from 'yaml';
import { canStart, chartFolder, helm, resourcesIn, template, type Resource } from './helm/chart.ts';
import { kubernetesVersions, schemaLocation } from './helm/schemas.ts';

const hasHelm = canStart('helm', 'version');
const withHelm = hasHelm ? test : test.skip;
const schemas = hasHelm && canStart('kubeconform', '-v') ? await schemaLocation().catch(cannotFetch) : null;
const withKubeconform = schemas === null ? test.skip : test;

function cannotFetch(error: unknown): null {
  console.log('The schemas of Kubernetes cannot be fetched, so kubeconform is skipped:', error);
  return null;
}

const baseUrl = 'https://runward.example.com';
const database = { url: 'postgres://runward:hidden-1@db.example.com/runward' };

/** Values by what they are for. Every secret in them contains `hidden`. */
const variants = {
  'the smallest values': { baseUrl, database },
  'the PostgreSQL of the chart': {
    baseUrl,
    postgresql: { enabled: true, password: 'hidden2' },
    persistence: { accessMode: 'ReadWriteOnce' },
  },
  'a bucket and existing secrets': {
    baseUrl,
    database: { existingSecret: { name: 'postgres-app', key: 'uri' } },
    files: { url: 's3://files?region=eu-west-1' },
    config: {
      AWS_ACCESS_KEY_ID: 'AKIA',
      LIMIT_RECEIVING_BYTES: 20_000_000,
      COMPRESSION: false,
      OTEL_TRACES_SAMPLER_ARG: 0.25,
    },
    existingSecret: { name: 'runward-secrets', keys: ['AWS_SECRET_ACCESS_KEY', 'METRICS_TOKEN'] },
    migration: { database: { existingSecret: { name: 'postgres-owner', key: 'uri' } } },
    metrics: { serviceMonitor: { enabled: true } },
  },
  'many pods and an ingress': {
    database,
    api: { autoscaling: { enabled: true } },
    worker: { replicas: 3 },
    config: { MAIL_FROM: 'runward@example.com', OIDC_GOOGLE_ISSUER: 'https://accounts.google.com' },
    secrets: { SMTP_URL: 'smtps://runward:hidden-3@mail.example.com', OIDC_GOOGLE_CLIENT_SECRET: 'hidden-4' },
    ingress: { enabled: true, className: 'nginx', host: 'runward.example.com', tlsSecret: 'runward-tls' },
    networkPolicy: { from: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }] },
  },
  'the values of the guide': parse(
    /^```yaml\n(# runward\.yaml\n[^]*?)^```$/m.exec(
      readFileSync(join(repository, 'docs/guides/deploy.md'), 'utf8'),
    )?.[1] ?? '',
  ) as object,
  'everything off that can be': {
    baseUrl,
    database,
    migration: { enabled: false },
    podDisruptionBudget: { enabled: false },
    networkPolicy: { enabled: false },
    serviceAccount: { create: false },
    persistence: { existingClaim: 'files' },
  },
} as const;

/** What the chart renders; the test fails if it cannot. */
function rendered(t: ExecutionContext, values: object): Resource[] {
  const { status, output, problem } = template(values);
  t.is(status, 0, problem);
  return resourcesIn(output);
}

const named = (resources: readonly Resource[], kind: string, name: string) =>
  resources.find((each) => each.kind === kind && each.metadata.name === name);

/** The specifications of all pods, with the names of their owners. */
const podsOf = (resources: readonly Resource[]) =>
  resources.flatMap(({ metadata, spec }) =>
    spec?.template ? [{ name: metadata.name, labels: spec.template.metadata.labels, pod: spec.template.spec }] : [],
  );

for (const [title, values] of Object.entries(variants)) {
  withHelm(`the chart with ${title} passes the linter`, (t) => {
    const { status, output } = helm(['lint', '--strict', chartFolder, '--kube-version', '1.37.0'], values);
    t.is(status, 0, output);
  });

  withHelm(`the chart with ${title} gives the service only variables that it knows`, (t) => {
    const resources = rendered(t, values);
    const { data = {} } = named(resources, 'ConfigMap', 'runward') ?? {};
    const given = podsOf(resources)
      .filter(({ name }) => name !== 'runward-postgresql')
      .flatMap(({ pod }) => pod.containers.flatMap(({ env = [] }) => env.map(({ name }) => name)));
    t.true(given.includes('DATABASE_URL_FILE'));
    const unknown = [...Object.keys(data), ...given].filter((name) => {
      const secret = name.replace(/_FILE$/, '');
      return secret === name ? isSecret(name) || !isKnown(name) : !isSecret(secret);
    });
    t.deepEqual(unknown, []);
    // The service accepts their values. Secrets come from files.
    const secrets = Object.fromEntries(given.filter((each) => each.endsWith('_FILE')).map(sampleOf));
    t.deepEqual(environment.safeParse({ NODE_ENV: 'production', ...data, ...secrets }).error?.issues ?? [], []);
  });

  withHelm(`the chart with ${title} has secrets in Secrets only, and gives them as files`, (t) => {
    const resources = rendered(t, values);
    const others = resources.filter(({ kind }) => kind !== 'Secret');
    t.notRegex(JSON.stringify(others), /hidden/);
    for (const { name, pod } of podsOf(resources)) {
      const files = pod.containers.flatMap(({ env = [] }) => env.filter((each) => each.name.endsWith('_FILE')));
      const mounts = pod.containers.flatMap(({ volumeMounts = [] }) => volumeMounts);
      const folders = new Set(mounts.map(({ mountPath }) => mountPath));
      t.true(files.length > 0, name);
      for (const { value } of files) t.true(folders.has(value.slice(0, value.lastIndexOf('/'))), value);
    }
  });

  withHelm(`the chart with ${title} runs all pods without rights and on a read-only file system`, (t) => {
    const pods = podsOf(rendered(t, values));
    t.true(pods.length >= 2);
    for (const { name, pod } of pods) {
      t.like(pod, { automountServiceAccountToken: false, enableServiceLinks: false }, name);
      t.true(pod.securityContext.runAsNonRoot, name);
      for (const { securityContext, resources, volumeMounts = [] } of pod.containers) {
        t.like(securityContext, { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false }, name);
        t.regex(resources.limits.memory, /^\d+[MG]i$/);
        t.true(volumeMounts.some(({ mountPath }) => mountPath === '/tmp'));
        const volumes = pod.volumes?.map((each) => each.name) ?? [];
        t.deepEqual(
          volumeMounts.filter((each) => each.name !== 'data' && !volumes.includes(each.name)),
          [],
        );
      }
    }
  });

  withHelm(`the chart with ${title} selects pods that exist`, (t) => {
    const resources = rendered(t, values);
    const pods = podsOf(resources).map(({ labels }) => labels);
    const selectors = resources.flatMap(({ kind, metadata, spec }) => {
      const found = spec?.selector ?? spec?.podSelector;
      return found === undefined || kind === 'ServiceMonitor' ? [] : [{ kind, name: metadata.name, found }];
    });
    t.true(selectors.length > 2);
    for (const { kind, name, found } of selectors) {
      const wanted = Object.entries('matchLabels' in found ? (found.matchLabels as object) : found);
      t.true(wanted.length >= 2, `${kind} ${name}`);
      const selected = pods.filter((labels) => wanted.every(([label, value]) => labels[label] === value));
      t.true(selected.length > 0, `${kind} ${name}`);
    }
    for (const { kind, spec } of resources.filter((each) => /^(?:Deployment|StatefulSet)$/.test(each.kind))) {
      t.like(spec.template?.metadata.labels, (spec.selector as { matchLabels: object }).matchLabels, kind);
    }
  });

  withKubeconform(`the chart with ${title} is valid for the oldest and the newest Kubernetes`, (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'runward-chart-'));
    try {
      for (const version of kubernetesVersions) {
        const file = join(folder, `${version}.yaml`);
        writeFileSync(file, template(values, version).output);
        const options = ['-strict', '-summary', '-kubernetes-version', version, '-schema-location', schemas ?? ''];
        // The type of ServiceMonitors belongs to the operator of Prometheus.
        const { status, stdout } = spawnSync('kubeconform', [...options, '-skip', 'ServiceMonitor', file], {
          encoding: 'utf8',
        });
        t.is(status, 0, stdout);
        t.regex(stdout, /Valid: [1-9]/);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

/** Whether the service has a setting of this name, also of a further provider. */
const isKnown = (name: string) => variableNames.includes(name.replace(/^OIDC_[A-Z0-9]+_(?=ISSUER$)/, 'OIDC_'));

/** A secret of the service, with a value that it accepts. */
function sampleOf(fileVariable: string): readonly [string, string] {
  const name = fileVariable.replace(/_FILE$/, '');
  const samples: Readonly<Record<string, string>> = {
    DATABASE_URL: database.url,
    SMTP_URL: 'smtps://mail.example.com',
  };
  return [name, samples[name] ?? 'x'.repeat(32)];
}

withHelm('the chart starts both roles, replaces their pods one by one, and lets them finish', (t) => {
  const resources = rendered(t, variants['the smallest values']);
  for (const role of ['api', 'worker']) {
    const { spec } = named(resources, 'Deployment', `runward-${role}`) ?? {};
    t.is(spec?.strategy?.rollingUpdate.maxUnavailable, 0);
    const pod = spec?.template?.spec;
    t.true((pod?.terminationGracePeriodSeconds ?? 0) >= 30);
    t.is(pod?.securityContext.runAsUser, 1000);
    const [container] = pod?.containers ?? [];
    t.deepEqual(container?.env?.[0], { name: 'ROLE', value: role });
    t.is(container?.livenessProbe?.httpGet?.path, '/health/live');
    t.is(container?.readinessProbe?.httpGet?.path, '/health/ready');
  }
});

withHelm(
  'a job with the URL of its own migrates before an installation and an upgrade; the service then does not',
  (t) => {
    const resources = rendered(t, variants['a bucket and existing secrets']);
    const { metadata, spec } = named(resources, 'Job', 'runward-migrate') ?? {};
    t.is(metadata?.annotations?.['helm.sh/hook'], 'pre-install,pre-upgrade');
    const { containers, volumes } = spec?.template?.spec ?? {};
    t.deepEqual(containers?.[0]?.command, ['runward-admin', 'migrate', '--up']);
    // Secrets of the release do not exist yet before an installation.
    t.like(volumes?.find(({ name }) => name === 'secrets')?.secret, { secretName: 'postgres-owner' });
    t.is(named(resources, 'ConfigMap', 'runward')?.data?.['MIGRATE_ON_START'], 'false');

    const copied = rendered(t, variants['the smallest values']);
    const secret = named(copied, 'Secret', 'runward-migrate');
    t.is(secret?.stringData?.['DATABASE_URL'], database.url);
    t.is(secret?.metadata.annotations?.['helm.sh/hook'], 'pre-install,pre-upgrade');
    t.true(Number(secret?.metadata.annotations?.['helm.sh/hook-weight']) < 0);
  },
);

withHelm('without the job, or with the PostgreSQL of the chart, the service migrates', (t) => {
  for (const title of ['everything off that can be', 'the PostgreSQL of the chart'] as const) {
    const resources = rendered(t, variants[title]);
    t.is(named(resources, 'Job', 'runward-migrate'), undefined);
    t.is(named(resources, 'ConfigMap', 'runward')?.data?.['MIGRATE_ON_START'], 'true');
  }
});

withHelm('numbers and booleans of the settings are written as the service reads them', (t) => {
  const { data } = named(rendered(t, variants['a bucket and existing secrets']), 'ConfigMap', 'runward') ?? {};
  t.like(data, {
    LIMIT_RECEIVING_BYTES: '20000000',
    COMPRESSION: 'false',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    BASE_URL: baseUrl,
  });
});

const wrong: readonly (readonly [what: string, values: object, message: RegExp])[] = [
  ['no database', { baseUrl }, /database: must be given; set database\.url/],
  [
    'two databases',
    { baseUrl, database, postgresql: { enabled: true, password: 'a' } },
    /database: must be given once/,
  ],
  ['no URL', { database }, /baseUrl: must be set to the URL that clients use/],
  ['no password', { baseUrl, postgresql: { enabled: true } }, /postgresql\.password: must be set/],
  ['a database that is no PostgreSQL', { baseUrl, database: { url: 'mysql://a' } }, /\/database\/url/],
  ['an unknown value', { baseUrl, database, api: { replica: 2 } }, /'\/api'.*'replica' not allowed/],
  ['a misspelt setting', { baseUrl, database, config: { LOG_LEVL: 'warn' } }, /'\/config'.*'LOG_LEVL' not allowed/],
  ['a secret as a setting', { baseUrl, database, config: { SMTP_URL: 'a' } }, /'\/config'.*'SMTP_URL' not allowed/],
  [
    'a secret given twice',
    { baseUrl, database, secrets: { SMTP_URL: 'a' }, existingSecret: { name: 'b', keys: ['SMTP_URL'] } },
    /secrets\.SMTP_URL: must not be set together/,
  ],
  ['no pods', { baseUrl, database, worker: { replicas: 0 } }, /\/worker\/replicas/],
  [
    'several pods on a volume of one node',
    { baseUrl, database, api: { replicas: 2 }, persistence: { accessMode: 'ReadWriteOnce' } },
    /persistence\.accessMode: must be ReadWriteMany.*files\.url/,
  ],
  ['an ingress without a host', { database, ingress: { enabled: true } }, /ingress\.host: must be set/],
];

for (const [what, values, message] of wrong) {
  withHelm(`the chart with ${what} is refused with a message that names the value`, (t) => {
    const { status, problem } = template(values);
    t.not(status, 0);
    t.regex(problem, message);
  });
}

/** What the chart or the image decides, or what is for development only. */
const decided =
  'BASE_URL DATABASE_URL DATA_DIR FILES_URL HOST METRICS_PORT MIGRATE_ON_START NODE_ENV PORT POSTGRES_PORT ROLE WEBHOOK_ALLOW_LOCAL';

test('the schema of the values names every setting of the service, as a setting or as a secret', (t) => {
  const schema = JSON.parse(readFileSync(join(chartFolder, 'values.schema.json'), 'utf8')) as {
    readonly properties: Readonly<Record<'config' | 'secrets', Parts>> & {
      readonly existingSecret: {
        readonly properties: {
          readonly keys: { readonly items: { readonly anyOf: readonly [{ readonly enum: string[] }] } };
        };
      };
    };
  };
  interface Parts {
    readonly properties: object;
    readonly patternProperties: object;
  }
  const accepted =
    ({ properties, patternProperties }: Parts) =>
    (name: string) =>
      name in properties || Object.keys(patternProperties).some((pattern) => new RegExp(pattern).test(name));
  const own = variableNames.filter((name) => !decided.split(' ').includes(name));
  const { config, secrets, existingSecret } = schema.properties;
  const missing = own.filter((name) => !accepted(isSecret(name) ? secrets : config)(name));
  t.deepEqual(missing, [], 'Add these to config or secrets in values.schema.json.');
  const misplaced = own.filter((name) => accepted(isSecret(name) ? config : secrets)(name));
  t.deepEqual(misplaced, [], 'A secret is no setting of config, and a setting no secret.');
  t.deepEqual(existingSecret.properties.keys.items.anyOf[0].enum, Object.keys(secrets.properties));
  const listed = [...Object.keys(config.properties), ...Object.keys(secrets.properties)];
  t.deepEqual(
    listed.filter((name) => !own.includes(name)),
    [],
    'These are no settings of the service.',
  );
  t.true(own.length > 20 && secretNames.length > 5);
});

test('the chart has the version in lerna.json', (t) => {
  const { version } = JSON.parse(readFileSync(join(repository, 'lerna.json'), 'utf8')) as { version: string };
  const chart = parse(readFileSync(join(chartFolder, 'Chart.yaml'), 'utf8')) as Readonly<Record<string, string>>;
  t.deepEqual([chart['version'], chart['appVersion']], [version, version]);
});
