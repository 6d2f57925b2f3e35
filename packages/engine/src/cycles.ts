/**
 * The nodes of a cycle in a directed graph, in the order of its edges; null if there is none. `next` returns the nodes that a node points
 * to. Takes time in proportion to the nodes and edges, and no recursion, however long a path is.
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
