import { readFileSync } from 'node:fs';

/**
 * Reads a daemon's configuration file: `key=value` lines, `#` starts a comment line. Everything after the
 * first `=` is the value (a password may hold `=`). When a key stands twice the first one counts, as in the
 * daemon.
 */
export function parseConf(text: string): Map<string, string> {
	const values = new Map<string, string>();
	for (const raw of text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)) {
		const line = raw.trim();
		if (line === '' || line.startsWith('#')) continue;
		const at = line.indexOf('=');
		if (at <= 0) continue;
		const key = line.slice(0, at).trim();
		if (!values.has(key)) values.set(key, line.slice(at + 1).trim());
	}
	return values;
}

/** Keys of a daemon's configuration file that pages may show. None of them is a credential. */
const SHOWN_KEYS = [
	'server',
	'rpcport',
	'rpcallowip',
	'pubkey',
	'txindex',
	'addressindex',
	'spentindex',
	'timestampindex'
] as const;

export type ShownKey = (typeof SHOWN_KEYS)[number];

/** The values of a daemon's configuration file that pages may show; empty when it cannot be read. */
export function shownConf(file: string): ReadonlyMap<ShownKey, string> {
	let conf: Map<string, string>;
	try {
		conf = parseConf(readFileSync(file, 'utf8'));
	} catch {
		return new Map();
	}
	return new Map(
		SHOWN_KEYS.flatMap((key): [ShownKey, string][] => {
			const value = conf.get(key);
			return value === undefined ? [] : [[key, value]];
		})
	);
}
