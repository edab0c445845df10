import { runAll } from './run.ts';

// To a file or a pipe, the process ends only when all is written, and nothing else keeps it alive.
process.stdout.write(JSON.stringify(await runAll()));
