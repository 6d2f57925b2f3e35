/**
 * Finds a cycle in a directed graph: its nodes, in the order of the edges, or null. `next` returns the successors of a
 * node. Takes linear time, and does not recurse, so that long paths cannot overflow the stack.
 */
export function findCycle<Node>(nodes: Iterable<Node>, next: (node: Node) => Iterable<Node>): Node[] | null {
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
        return path.slice(path.indexOf(node));
      } else if (!finished.has(node)) {
        enter(node);
      }
    }
  }
  return null;
}
