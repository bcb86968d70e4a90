import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { envExample, NAMES, readSettings, SETTINGS, strayNames } from './settings.ts';

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
	// An example with "…" abbreviates a pubkey of 66 digits.
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

test('a header of a proxy is a name that a header can have', () => {
	expect(readSettings({ ADDRESS_HEADER: 'cf-connecting-ip' }).problems).toEqual([]);
	for (const name of ['X Forwarded For', 'X-Real-IP:', '"X-Real-IP"', 'x-real-ip, x-other']) {
		expect(readSettings({ ADDRESS_HEADER: name }).problems).toEqual([
			'ADDRESS_HEADER must be the name of a header like X-Forwarded-For.'
		]);
	}
});

test('names that are no settings are found, and what a cluster adds is none', () => {
	const secrets = { KOMODECK_SECRET_KEY_FILE: '/run/secrets/key', DATABASE_URL_FILE: '/run/url' };
	const empty = { KOMODECK_LATER: '' };
	const cluster = {
		KOMODECK_PORT: 'tcp://10.0.0.1:3000',
		KOMODECK_PORT_3000_TCP_ADDR: '10.0.0.1',
		KOMODECK_SERVICE_HOST: '10.0.0.1',
		KOMODECK_SERVICE_PORT_HTTP: '3000'
	};
	const settings = { KOMODECK_PUBLIC: '1', HOME: '/root' };
	expect(strayNames({ ...settings, ...secrets, ...empty, ...cluster })).toEqual([]);
	const wrong = { KOMODECK_ORGIN: 'https://x', KOMODECK_PORT: '3000', KOMODECK_HOST_FILE: 'x' };
	expect(strayNames(wrong)).toEqual(['KOMODECK_HOST_FILE', 'KOMODECK_ORGIN', 'KOMODECK_PORT']);
});
