import { runAll } from './run.ts';

// Where the output is a file or a pipe the process ends only when all is written, and nothing else keeps it.
process.stdout.write(JSON.stringify(await runAll()));
