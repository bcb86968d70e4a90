import { readFileSync } from 'node:fs';

/** The values of a daemon's configuration file. The map holds the first value of each key. */
export class ParsedConf extends Map<string, string> {
	readonly #all = new Map<string, string[]>();

	/** Adds a value of a key. */
	add(key: string, value: string): void {
		if (!this.has(key)) this.set(key, value);
		this.#all.set(key, [...this.all(key), value]);
	}

	/** Returns every value of a key that may be given several times. */
	all(key: string): readonly string[] {
		return this.#all.get(key) ?? [];
	}
}

/**
 * Parses a daemon's configuration file as the daemon does, with Boost's `config_file_iterator`: `key=value`
 * lines, where `#` starts a comment. The value is everything after the first `=` (a password may contain `=`).
 * Keys after a `[section]` are prefixed with its name. Of a repeated key the first value wins.
 */
export function parseConf(text: string): ParsedConf {
	const values = new ParsedConf();
	let section = '';
	for (const raw of text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)) {
		const line = raw.replace(/#.*/, '').trim();
		if (/^\[.+\]$/.test(line)) {
			section = `${line.slice(1, -1).replace(/\.$/, '')}.`;
			continue;
		}
		const at = line.indexOf('=');
		if (at <= 0) continue;
		const key = section + line.slice(0, at).trim();
		values.add(key, line.slice(at + 1).trim());
	}
	return values;
}

/** Keys of a daemon's configuration file that pages may show. No key here is a credential. */
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

/** Returns the values of a daemon's configuration file that pages may show; empty when it cannot be read. */
export function shownConf(file: string): ReadonlyMap<ShownKey, string> {
	let conf: ParsedConf;
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
