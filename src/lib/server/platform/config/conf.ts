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
