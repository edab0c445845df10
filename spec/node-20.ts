import { execFileSync } from 'node:child_process';

/** Whether a program is a Node 20. */
function isNode20(path: string): boolean {
  try {
    return execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' }).startsWith('20.');
  } catch {
    return false;
  }
}

// npm runs the specs with the Node of the development dependencies; its own may be an older one.
const candidates = [process.env.NODE_20, process.env.npm_node_execpath];

/**
 * The path of a Node 20, the oldest that is supported; undefined if there is none, for `it.skipIf(!node20Path)`. With
 * `REQUIRE_NODE_20` set, that is an error instead: a run that has to cover it must not pass by skipping it.
 */
export const node20Path = candidates.find((path) => path && isNode20(path));

if (!node20Path) {
  if (process.env.REQUIRE_NODE_20) {
    throw new Error('REQUIRE_NODE_20 is set, and no Node 20 was found; set NODE_20 to its path');
  }
  console.warn('\nSPECS ON NODE 20 SKIPPED: no Node 20 found; set NODE_20 to its path\n');
}
