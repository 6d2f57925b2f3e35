import type { Formats } from '../environment.ts';
import type { ProcessDocument } from '../process.ts';
import { domainsOf } from './domains.ts';
import { asking, stuckTasks, unreachable, type Finding } from './findings.ts';
import { groupsOf } from './groups.ts';
import { outcomesOf, type GroupOutcomes } from './outcomes.ts';
import { countPaths, coveringPaths, pathsOf, toPath, type SimulatedPath } from './paths.ts';
import type { Choices } from './search.ts';
import { walk, type Walk } from './walk.ts';

/** How much to simulate. */
export interface SimulationSettings {
  /** Maximum number of cases per question. Beyond it, only a sample is tried. */
  readonly cases: number;
  /** How many paths to list. */
  readonly paths: number;
}

/** The result of a simulation. */
export interface Simulation {
  /** What is wrong with the template, the severest first. */
  readonly findings: readonly Finding[];
  /** How many paths there are, or were found in a sample. */
  readonly pathCount: number;
  /** Whether all paths were found. If not, the rules were tried on a sample. */
  readonly complete: boolean;
  /** How many cases were tried for the paths. */
  readonly tried: number;
  /** How many combinations of values there are. One case stands for one or more of them. */
  readonly combinations: number;
  /** The paths. If there are more than requested, a sample. */
  readonly paths: readonly SimulatedPath[];
}

/**
 * Explores all possible runs of a document, using the launch, the rules and the commands of real runs. The document
 * must be valid for publishing.
 *
 * The model: a run is launched with any values of its flow variables. People fill in the forms of visible tasks, even
 * blocked ones, in any order, and can correct them. Then they complete the tasks in the order of the document and its
 * dependencies. Each field and variable that rules read takes one value of every class that the conditions distinguish.
 *
 * Rules have no cycles and do not read hidden fields. Every combination of values of visible fields can therefore be
 * reached, by filling in first what depends on nothing. A statement that holds for no combination holds for no run. A
 * task or field is reachable if it is visible at any time. A path is the end of a run in which all required fields are
 * filled in.
 *
 * Not simulated: manual assignments, statuses that are set without the form, unblocking by force, and deadlines. None
 * of them changes what is visible or must be completed.
 *
 * Independent groups of rules are tried separately, and paths combine their outcomes. Yields the number of cases tried
 * since the last yield, so that the caller can show progress or stop.
 */
export function* simulate(
  document: ProcessDocument,
  formats: Formats,
  { cases, paths }: SimulationSettings,
): Generator<number, Simulation> {
  const domains = domainsOf(document, formats);
  const findings = yield* unreachable(document, asking({ domains, limit: cases }));

  const combinationsOf = (inputs: readonly (typeof domains extends ReadonlyMap<infer Key, unknown> ? Key : never)[]) =>
    inputs.reduce((product, input) => product * (domains.get(input)?.values.length ?? 1), 1);
  const groups = groupsOf(document, domains);
  const outcomes: GroupOutcomes[] = [];
  let left = cases;
  for (const group of groups.toSorted((one, other) => combinationsOf(one.inputs) - combinationsOf(other.inputs))) {
    const limit = Math.max(left, Math.ceil(cases / 20));
    const found = yield* outcomesOf(document, group, { domains, limit });
    left -= found.tried;
    outcomes.push(found);
  }

  const walks: Walk[] = [];
  const walked = (choices: Choices): Walk | null => {
    const done = walk(document, choices, formats);
    if (done) walks.push(done);
    return done;
  };
  for (const choices of coveringPaths(outcomes)) {
    walked(choices);
    yield 1;
  }
  const listed: SimulatedPath[] = [];
  for (const choices of pathsOf(outcomes, paths)) {
    const done = walked(choices);
    if (done) listed.push(toPath(document, choices, done));
    yield 1;
  }

  const severities = ['ERROR', 'WARNING', 'NOTE'];
  const all = [...findings, ...stuckTasks(walks)];
  return {
    findings: all.sort((one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity)),
    pathCount: countPaths(outcomes),
    complete: outcomes.every(({ complete }) => complete),
    tried: outcomes.reduce((sum, { tried }) => sum + tried, 0),
    combinations: Math.min(Number.MAX_VALUE, combinationsOf([...domains.keys()])),
    paths: listed,
  };
}
