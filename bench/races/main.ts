import { writeFileSync } from 'node:fs';

import { settingOf } from '../setting.ts';

import { races } from './race.ts';
import type { Racer } from './race.ts';

const names = ['rivulet', 'backbone', 'mobx-rest', 'tanstack-db'];
const racers = await Promise.all(
  names.map(async (name) => ((await import(`./racers/${name}.ts`)) as { default: Racer }).default),
);

const { date, node, commit, versions } = settingOf(racers.map(({ name }) => name));
const lines: string[] = [];
for (const { title, run } of races) {
  lines.push('', `## ${title}`, '', '| | Right | What happened |', '| --- | --- | --- |');
  for (const racer of racers) {
    const { isRight, text } = await run(racer);
    lines.push(`| ${racer.name} | ${isRight ? 'yes' : '**no**'} | ${text} |`);
  }
}
const report = `# Races

${date}, Node ${node}, commit ${commit}. Made by \`npm run races\`; see [README.md](README.md#races).
${lines.join('\n')}

${racers.map(({ name, note }) => `- ${[name, versions[name]].join(' ').trim()}${note ? `: ${note}` : ''}`).join('\n')}
`;
console.log(report);
writeFileSync(new URL('../RACES.md', import.meta.url), report);
