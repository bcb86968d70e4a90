import { readFileSync } from 'node:fs';

/** The values of a daemon's configuration file. */
export class ParsedConf extends Map<string, string> {
	readonly #all = new Map<string, string[]>();

	/** One more value of a key. */
	add(key: string, value: string): void {
		if (!this.has(key)) this.set(key, value);
		this.#all.set(key, [...this.all(key), value]);
	}

	/** Every value of a key that may stand several times. */
	all(key: string): readonly string[] {
		return this.#all.get(key) ?? [];
	}
}

/**
 * Reads a daemon's configuration file as the daemon does, by Boost's `config_file_iterator`: `key=value` lines, of
 * which nothing counts from the first `#` on. Everything after the first `=` is the value (a password may hold `=`).
 * Keys behind a `[section]` have its name before them. When a key stands twice the first one counts.
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
