import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { envExample, NAMES, readSettings, SETTINGS } from './settings.ts';

const ROOT = join(import.meta.dirname, '../../../../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

test('.env.example is what `npm run env:example` writes', () => {
	expect(read('.env.example')).toBe(envExample());
});

test('the page of the settings explains each', () => {
	const page = read('docs/settings.md');
	expect(NAMES.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test('every example that is written out is a good value', () => {
	// A placeholder of 66 digits stands in one of them.
	const env = Object.fromEntries(
		NAMES.filter((name) => !SETTINGS[name].example.includes('…')).map((name) => [
			name,
			SETTINGS[name].example
		])
	);
	expect(readSettings(env).problems).toEqual([]);
});

test('a setting that is wrong is named without its value', () => {
	const { values, problems } = readSettings({
		PORT: '70000',
		KOMODECK_AUDIT_DAYS: 'always',
		LOG_LEVEL: 'loud',
		HOST: ''
	});
	expect(problems).toEqual([
		'PORT must be a port, 0 to 65535.',
		'KOMODECK_AUDIT_DAYS must be a number of days from 1 to 99999.',
		'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent.'
	]);
	expect(values).toEqual({});
});
