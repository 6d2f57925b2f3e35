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
  /** How many cases to try for one question before only a sample of them is tried. */
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
  /** How many combinations of values there are, of which a case stands for one or more. */
  readonly combinations: number;
  /** The paths, or a sample of them if there are more than asked for. */
  readonly paths: readonly SimulatedPath[];
}

/**
 * Explores what runs of a document can become, with the launch, the rules and the commands of real runs. The document must be valid for
 * publishing.
 *
 * The model: a run is launched with any values of its flow variables. People fill in the forms of visible tasks, also of blocked ones, in any
 * order and can correct them, then complete the tasks in the order of the document and their dependencies. For each field and variable that
 * rules read there is one value of every class that the conditions tell apart. Rules do not depend on each other in a circle and do not read
 * hidden fields, so that every combination of values of visible fields can be reached: first those that nothing depends on. What is true of
 * no combination is therefore true of no run. A task or field counts as reachable if it is visible at any time; a path is how a run ends,
 * with all required fields filled in.
 *
 * Not simulated are assignments by people, statuses that are set without the form, unblocking by force, and deadlines: none of them changes
 * what is visible or has to be completed.
 *
 * Groups of rules that have nothing in common are tried one by one, and paths combine their outcomes. Yields the number of cases that were
 * tried since the last time, so that the caller can show progress or stop.
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
