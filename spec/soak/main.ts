import { parseArgs } from 'node:util';

import { isExceeded, tableOf } from './figures.ts';
import { loopback, sequential } from './loopback.ts';
import { stubbed } from './stubbed.ts';

const usage = 'Usage: npm run soak -- [--requests 1000000] [--loopback 100000]';

try {
  await run();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const [requests, overLoopback] = readSizes();
  const figures = [
    ...(await stubbed('transport', requests)),
    ...(await stubbed('fetch', requests)),
    ...(await loopback(overLoopback)),
    ...(await sequential(200)),
  ];
  console.log(tableOf(figures));
  const exceeded = figures.filter(isExceeded);
  if (exceeded.length === 0) return;
  console.error(`Beyond its bound: ${exceeded.map(({ name }) => name).join('; ')}`);
  process.exitCode = 1;
}

function readSizes(): readonly [number, number] {
  const { values } = parseArgs({
    options: {
      requests: { type: 'string', default: '1000000' },
      loopback: { type: 'string', default: '100000' },
    },
  });
  const sizes = [Number(values.requests), Number(values.loopback)] as const;
  if (!sizes.every((size) => Number.isInteger(size) && size >= 1000))
    throw new Error(`Sizes begin at 1000. ${usage}`);
  return sizes;
}
