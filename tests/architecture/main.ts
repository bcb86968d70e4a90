/**
 * `npm run layers`: prints the folders of `src`, the imports of each, and the imports that violate their order.
 */
import { resolve } from 'node:path';
import { againstOrder, cyclesOf, importsOf } from './imports.ts';
import { folderOf, FOLDERS } from './layers.js';

const imports = importsOf(resolve(import.meta.dirname, '../../src'));
const say = (line: string): void => void process.stdout.write(`${line}\n`);

for (const folder of FOLDERS) {
	const counts = new Map<string, number>();
	for (const { from, to } of imports) {
		const other = folderOf(to);
		if (folderOf(from) !== folder || other === null || other === folder) continue;
		counts.set(other, (counts.get(other) ?? 0) + 1);
	}
	const list = [...counts].map(([other, count]) => `${other} (${count})`).join(', ');
	say(`${folder}: ${list || 'nothing'}`);
}

const wrong = againstOrder(imports);
const cycles = cyclesOf(imports);
say('');
for (const { from, to } of wrong) say(`against the order: ${from} imports ${to}`);
for (const cycle of cycles) say(`a cycle: ${cycle.join(', ')}`);
say(`${wrong.length} against the order, ${cycles.length} cycles`);
process.exitCode = wrong.length + cycles.length === 0 ? 0 : 1;
