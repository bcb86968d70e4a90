/**
 * `npm run layers`: prints the folders of `src`, the imports of each, the imports that violate their order, and
 * circles of files and of sibling folders.
 */
import { resolve } from 'node:path';
import { againstOrder, cyclesOf, importsOf, siblingCirclesOf } from './imports.ts';
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
const circles = siblingCirclesOf(imports);
say('');
for (const { from, to } of wrong) say(`against the order: ${from} imports ${to}`);
for (const cycle of cycles) say(`a cycle: ${cycle.join(', ')}`);
for (const circle of circles) say(`in a circle: ${circle.join(', ')}`);
say(`${wrong.length} against the order, ${cycles.length} cycles`);
say(`sibling folders in a circle: ${circles.flat().length}`);
process.exitCode = wrong.length + cycles.length + circles.length === 0 ? 0 : 1;
