// Compares the running Node with the `engines` line of package.json (one `>=` bound).

/** One sentence for the user, or undefined when the version will do. */
export function findNodeVersionProblem({ wanted, found }) {
  const minimum = /^>=\s*(\d+(?:\.\d+){0,2})$/.exec(wanted)?.[1];
  if (!minimum) return `package.json asks for Node "${wanted}", which this script cannot read.`;
  if (compareVersions(found, minimum) >= 0) return undefined;
  return `This project needs Node ${minimum} or newer; this is Node ${found}. Install a newer Node and run the command again.`;
}

function compareVersions(left, right) {
  const leftParts = left.split(".").map(Number);
  const rightParts = right.split(".").map(Number);
  for (const index of [0, 1, 2]) {
    const difference = (leftParts[index] ?? 0) - (rightParts[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
