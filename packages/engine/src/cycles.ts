/**
 * Finds cycles in a directed graph, each as its nodes in the order of the edges, until no cycle is left that shares no
 * node with one of them. `next` returns the successors of a node. Does not recurse, so that long paths cannot overflow
 * the stack.
 */
export function findCycles<Node>(nodes: Iterable<Node>, next: (node: Node) => Iterable<Node>): Node[][] {
  const cycles: Node[][] = [];
  const found = new Set<Node>();
  const finished = new Set<Node>();
  for (const start of nodes) {
    const path: Node[] = [];
    const onPath = new Set<Node>();
    const pending: Iterator<Node>[] = [];
    const enter = (node: Node) => {
      path.push(node);
      onPath.add(node);
      pending.push(next(node)[Symbol.iterator]());
    };
    if (!finished.has(start)) enter(start);
    for (let following = pending.at(-1); following !== undefined; following = pending.at(-1)) {
      const { done, value: node } = following.next();
      if (done === true) {
        pending.pop();
        const left = path.pop();
        if (left !== undefined) {
          onPath.delete(left);
          finished.add(left);
        }
      } else if (onPath.has(node)) {
        const cycle = found.has(node) ? [node] : path.slice(path.indexOf(node));
        if (!cycle.some((each) => found.has(each))) cycles.push(cycle);
        for (const each of cycle) found.add(each);
      } else if (!finished.has(node)) {
        enter(node);
      }
    }
  }
  return cycles;
}
