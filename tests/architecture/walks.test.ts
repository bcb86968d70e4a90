import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const page = readFileSync('docs/walks.md', 'utf8');
const STEP = /^(\d+)\. `([^`]+)` `([^`]+)`: /gm;

test('each room of the walks is a file with the function that is named', () => {
	const rooms = [...page.matchAll(STEP)];
	expect(rooms.length).toBeGreaterThan(20);
	for (const [, , file, name] of rooms) {
		expect(readFileSync(file!, 'utf8'), file).toMatch(new RegExp(`\\b${name}\\b\\s*[(:<=]`));
	}
});

test('no walk has more than twelve rooms', () => {
	for (const walk of page.split(/^## /m).slice(1)) {
		expect([...walk.matchAll(STEP)].length, walk.split('\n')[0]).toBeLessThanOrEqual(12);
	}
});
