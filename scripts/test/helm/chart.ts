import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { repository } from '@runward/testing/program';
import { parseAllDocuments } from 'yaml';

/** The folder of the chart. */
export const chartFolder = join(repository, 'deploy/helm/runward');

type Labels = Readonly<Record<string, string>>;

interface Variable {
  readonly name: string;
  readonly value: string;
}

/** The specification of a pod, as far as tests read it. */
export interface Pod {
  readonly automountServiceAccountToken: boolean;
  readonly enableServiceLinks: boolean;
  readonly terminationGracePeriodSeconds?: number;
  readonly securityContext: { readonly runAsNonRoot: boolean; readonly runAsUser: number };
  readonly containers: readonly {
    readonly name: string;
    readonly command?: readonly string[];
    readonly env?: readonly Variable[];
    readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
    readonly securityContext: { readonly readOnlyRootFilesystem: boolean; readonly allowPrivilegeEscalation: boolean };
    readonly resources: { readonly limits: { readonly memory: string } };
    readonly readinessProbe?: { readonly httpGet?: { readonly path: string } };
    readonly livenessProbe?: { readonly httpGet?: { readonly path: string } };
    readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  }[];
  readonly volumes?: readonly {
    readonly name: string;
    readonly emptyDir?: object;
    readonly persistentVolumeClaim?: { readonly claimName: string };
    readonly projected?: { readonly sources: readonly { readonly secret: { readonly name: string } }[] };
    readonly secret?: { readonly secretName: string; readonly items?: readonly { readonly key: string }[] };
  }[];
}

/** An object of Kubernetes, as far as tests read it. */
export interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Labels; readonly annotations?: Labels };
  readonly data?: Labels;
  readonly stringData?: Labels;
  readonly spec: {
    readonly replicas?: number;
    readonly strategy?: { readonly rollingUpdate: { readonly maxUnavailable: number } };
    readonly selector?: Labels | { readonly matchLabels: Labels };
    readonly podSelector?: { readonly matchLabels: Labels };
    readonly template?: { readonly metadata: { readonly labels: Labels }; readonly spec: Pod };
    readonly accessModes?: readonly string[];
  };
}

/** Whether a program can be started. */
export const canStart = (program: string, argument: string) => spawnSync(program, [argument]).status === 0;

/** The end of a run of helm. */
export interface Outcome {
  readonly status: number | null;
  readonly output: string;
  readonly problem: string;
}

/** Runs helm with values, which may be nested. */
export function helm(args: readonly string[], values: object = {}): Outcome {
  const { status, stdout, stderr } = spawnSync('helm', [...args, '--values', '-'], {
    input: JSON.stringify(values),
    encoding: 'utf8',
  });
  return { status, output: stdout, problem: stderr };
}

/** Renders the chart as the release `runward`, for the version of Kubernetes. */
export const template = (values: object, version = '1.37.0') =>
  helm(['template', 'runward', chartFolder, '--kube-version', version], values);

/** The objects in rendered YAML. Throws if it is not valid. */
export function resourcesIn(output: string): Resource[] {
  const documents = parseAllDocuments(output);
  if ('empty' in documents) return [];
  return documents.flatMap((each) => {
    const [error] = each.errors;
    if (error) throw error;
    const resource = each.toJS() as Resource | null;
    return resource === null ? [] : [resource];
  });
}
