import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const LINE = /^([^\s:]+): (\S.*)$/;

/** The reviewed list of exceptions: names of recordings, each with its reason. */
export function readExceptions(
	text = readFileSync(join(import.meta.dirname, 'exceptions.txt'), 'utf8')
): Map<string, string> {
	const found = new Map<string, string>();
	for (const line of text.split('\n')) {
		if (line === '' || line.startsWith('#')) continue;
		const [, name, reason] = LINE.exec(line) ?? [];
		if (name === undefined || reason === undefined) throw new Error(`no reason: ${line}`);
		if (found.has(name)) throw new Error(`${name} is listed twice`);
		found.set(name, reason);
	}
	return found;
}
